//! Mistakes that people make in a game, planted one at a time: the laws find
//! every one and name its cause.

mod faulty;

use faulty::{Faulty, Mistake, make};
use parlor_kernel::laws::check_all;

/// Each mistake, and words of the sentence that it must come back with.
const MISTAKES: &[(Mistake, &str)] = &[
    (Mistake::ShowsAllDice, "is told a secret"),
    (Mistake::ShowsThePublic, "public is told a secret"),
    (Mistake::ShowsTheNextSeat, "is told a secret"),
    (Mistake::TellsTheOnes, "is told a secret"),
    (Mistake::KeepsFalseBidsFromThePublic, "public is told a secret"),
    (Mistake::HidesOwnDice, "may look into one of the two and does not know"),
    (Mistake::ForgetsOwnDice, "may look into one of the two and does not know"),
    (Mistake::HidesBidsFromTheAdmin, "the admin does not see BID_PLACED"),
    (Mistake::TellsTheSeed, "the seed before the end"),
    (Mistake::TellsNoCommitment, "is not told the commitment"),
    (Mistake::SaysNothingIsPrivate, "is_private says that everyone sees"),
    (Mistake::DrawsUnderOneLabelTwice, "the dice label 'first' is used twice"),
    (Mistake::NeverOpensTheSeal, "the seal is never opened"),
    (Mistake::OpensAnotherSeed, "another seed than was committed to"),
    (Mistake::ImaginesTooManyDice, "secret cells, there are"),
    (Mistake::ImaginesAnotherTurn, "imagines a world that waits for others"),
    (Mistake::OutlinesAnotherTurn, "outline awaits others than a world"),
    (Mistake::OutlinesAnotherScore, "outline has another score than a world"),
    (Mistake::LabelsMovesAlike, "two moves with the same label 'move'"),
    (Mistake::RunsTheWrongClock, "a clock runs for"),
    (Mistake::RunsAClockInVain, "has a clock, and no timeout"),
    (Mistake::PlaysTooLateForAnyone, "is not awaited, and its timeout is"),
    (Mistake::PlaysTooLateAgainstTheRules, "which is no option"),
    (Mistake::ReadsOtherOptions, "and the truth has"),
    (Mistake::OffersWhatIsRefused, "which is refused: BID_TOO_LOW"),
    (Mistake::OffersNoSixes, "is accepted, and was not offered"),
    (Mistake::OffersOutOfTurn, "is not awaited and is offered"),
    (Mistake::AcceptsOutOfTurn, "is accepted, and was not offered"),
    (Mistake::DoesNothing, "makes nothing happen"),
    (Mistake::LeavesEventsWhenRefusing, "leaves events"),
    (Mistake::RefusesByHiddenDice, "tells seat:"),
    (Mistake::AsksByHiddenDice, "is asked tells it a secret"),
    (Mistake::ForgetsBids, "is awaited and has no option"),
    (Mistake::AwaitsWhoIsOut, "is awaited and has no option"),
    (Mistake::AwaitsNobody, "it waits for nobody"),
    (Mistake::FoldsDifferently, "the same events fold to two states"),
    (Mistake::RollsOutsideTheDice, "played again it is another game"),
    (Mistake::WritesAnotherBid, "does not read back"),
    (Mistake::OpensAnotherTable, "does not carry the opening"),
    (Mistake::ChangesTheRules, "keeps of its opening has changed"),
    (Mistake::NeverEnds, "does not end within"),
    (Mistake::CrownsTheLoser, "the invariant is broken"),
    (Mistake::CrownsNobody, "nobody has ever won"),
    (Mistake::CrownsTooEarly, "winners while the game runs"),
    (Mistake::GoesOnWhenCalledOff, "called off, the game does not end"),
    (Mistake::GivesNoReason, "called off, the game gives None as the reason"),
    (Mistake::GoesOnWhenPaused, "paused, the game goes on"),
    (Mistake::ObeysAfterTheEnd, "the game is over, and it still obeys"),
    (Mistake::ListsNoSecrets, "nothing secret was ever exchanged"),
    (Mistake::ListsEveryoneAsEyes, "nothing secret was ever exchanged before the eyes of a seat"),
    (Mistake::SwapsNothing, "nothing secret was ever exchanged"),
];

#[test]
fn every_mistake_is_found_and_named() {
    let mut missed = Vec::new();
    for (mistake, words) in MISTAKES {
        make(*mistake);
        match check_all::<Faulty>(2) {
            Ok(()) => missed.push(format!("{mistake:?} is not found")),
            Err(sentence) if !sentence.contains(words) || !sentence.contains("dice") => {
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
    check_all::<Faulty>(2).unwrap();
}
