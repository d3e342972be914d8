//! Mistakes planted in Koi-Koi, one at a time: the laws find every one and name
//! its cause. A dialect is made from what `see` lets through and has nothing
//! else to leak.

mod faulty;

use faulty::{Faulty, Mistake, make};
use parlor_kernel::laws::check_tables;
use parlor_koikoi::Rules;

/// Each mistake, and words of the sentence that it must come back with.
const MISTAKES: &[(Mistake, &str)] = &[
    (Mistake::ShowsTheOtherHand, "is told a secret"),
    (Mistake::ShowsThePublicAHand, "public is told a secret"),
    (Mistake::ShowsThePile, "is told a secret"),
    (Mistake::TellsWhatIsFlippedNext, "is told a secret"),
    (Mistake::TellsHowManyBrightsTheyHold, "is told a secret"),
    (Mistake::TellsTheSpecialHandBeforeItIsShown, "is told a secret"),
    (Mistake::TellsThePileByTheYaku, "is told a secret"),
    (Mistake::HidesTheOwnHand, "is awaited and has no option"),
    (Mistake::RefusesByTheOtherHand, "tells seat:"),
    (Mistake::ClocksByThePile, "is asked tells it a secret"),
    (Mistake::MovesWithTheOtherHand, "takes another move without looking"),
    (Mistake::SaysThatAllSeeTheDealAlike, "see_alike says that everyone sees RoundDealt alike"),
    (Mistake::ImaginesACardTwice, "imagines a world that breaks the invariant"),
    (Mistake::ImaginesASmallerHand, "imagines"),
    (Mistake::ListsNoPile, "nothing secret was ever exchanged before the eyes of a seat"),
    (Mistake::SwapsNothing, "nothing secret was ever exchanged"),
];

fn check() -> Result<(), String> {
    check_tables::<Faulty>(&[(Rules::protocol(), 2)], 6)
}

#[test]
fn every_mistake_is_found_and_named() {
    let mut missed = Vec::new();
    for (mistake, words) in MISTAKES {
        make(*mistake);
        match check() {
            Ok(()) => missed.push(format!("{mistake:?} is not found")),
            Err(sentence) if !sentence.contains(words) || !sentence.contains("koikoi") => {
                missed.push(format!("{mistake:?} is not named: {sentence}"));
            }
            Err(_) => {}
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Otherwise the wrapper itself might be what the laws object to.
#[test]
fn without_a_mistake_nothing_is_found() {
    make(Mistake::None);
    check().unwrap();
}
