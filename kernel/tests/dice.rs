//! The dice are frozen: a game played today must re-execute to the same cards
//! in ten years. These numbers may never change; whatever makes one of these
//! tests fail is wrong, not the test.

use parlor_kernel::{Dice, Seal, Seed, Stacked, Stream};

fn dice() -> Dice {
    Dice::new(&Seed::named("frozen"), "g1")
}

fn words(mut stream: Stream) -> [u32; 4] {
    std::array::from_fn(|_| stream.next_u32())
}

#[test]
fn a_named_seed_stays_what_it_is() {
    let seed = "aab10eac4cffba7f6462a283bd36931e44e9836f0690925de337cd1d028c5db9".parse();
    assert_eq!(seed, Ok(Seed::named("frozen")));
}

#[test]
fn streams_stay_what_they_are() {
    let deal = [0xa083_e3f9, 0xca2b_ce35, 0x8c99_8c8a, 0xb0ed_f604];
    let bot = [0x9f0f_183c, 0xe858_dfa1, 0xa9eb_7619, 0xa5bd_9e0c];
    assert_eq!(words(dice().stream("deal/1")), deal);
    assert_eq!(words(dice().stream(format_args!("bot/{}", 0))), bot);
}

#[test]
fn a_stream_goes_on_for_long_without_a_seam() {
    let mut far = dice().stream("far");
    let thousand_and_first = (0..=1000).map(|_| far.next_u32()).last();
    assert_eq!(thousand_and_first, Some(0x233d_c8a3));
}

#[test]
fn numbers_below_a_bound_stay_what_they_are() {
    let bounds = [2, 3, 6, 10, 48, 1000, 1_000_000, u32::MAX, (1 << 31) + 1];
    let drawn = [1, 1, 3, 0, 10, 89, 545_628, 1_751_763_675, 1_885_429_579];
    let mut stream = dice().stream("below");
    assert_eq!(bounds.map(|bound| stream.below(bound)), drawn);

    let rolls = [2, 1, 2, 1, 4, 1, 2, 4, 4, 3, 4, 4, 0, 2, 4, 3];
    let mut stream = dice().stream("dice");
    assert_eq!(rolls.map(|_| stream.below(6)), rolls);
}

#[test]
fn where_there_is_nothing_to_choose_nothing_is_drawn() {
    let mut stream = dice().stream("deal/1");
    assert_eq!([stream.below(0), stream.below(1)], [0, 0]);
    assert_eq!(words(stream), words(dice().stream("deal/1")));
}

#[test]
fn a_shuffled_deck_stays_what_it_is() {
    let mut deck: [u8; 48] = std::array::from_fn(|place| place as u8);
    dice().shuffle("deal/1", &mut deck);
    let shuffled = [
        6, 29, 27, 41, 2, 10, 19, 43, 32, 46, 21, 34, 9, 44, 47, 40, 7, 14, 28, 17, 38, 11, 20, 3,
        39, 36, 1, 33, 24, 26, 5, 35, 42, 15, 12, 22, 18, 0, 23, 8, 13, 45, 4, 16, 31, 25, 37, 30,
    ];
    assert_eq!(deck, shuffled);
}

#[test]
fn a_named_seal_commits_to_the_same_seed() {
    let seal = Seal::named("frozen");
    let commitment = "302dae97d79ab9ada3e89ba5ab201a2b20198309c07ab6713460186c82bd7832";
    assert_eq!(seal.commitment(), commitment);
    assert!(seal.open().opens(commitment));
    assert!(!Seal::named("thawed").open().opens(commitment));
}

#[test]
fn a_sealed_game_is_played_with_the_dice_of_its_seed() {
    let sealed = Seal::named("frozen").dice("g1");
    assert_eq!(words(sealed.stream("deal/1")), words(dice().stream("deal/1")));
}

#[test]
fn a_stacked_shuffle_comes_out_as_stacked_and_no_other_does() {
    let stacked = Stacked::from([("deal/1".to_owned(), vec![2, 0, 3, 1])]);
    let stacked = Dice::stacked(&Seed::named("frozen"), "g1", stacked);
    let mut deck = ['a', 'b', 'c', 'd'];
    stacked.shuffle("deal/1", &mut deck);
    assert_eq!(deck, ['c', 'a', 'd', 'b']);

    let shuffled = |dice: &Dice| {
        let mut deck: [u8; 48] = std::array::from_fn(|place| place as u8);
        dice.shuffle("deal/2", &mut deck);
        deck
    };
    assert_eq!(shuffled(&stacked), shuffled(&dice()));
}

#[test]
fn every_label_game_and_seed_has_a_stream_of_its_own() {
    let here = words(dice().stream("deal/1"));
    let others = [
        dice().stream("deal/2"),
        dice().stream("deal/11"),
        Dice::new(&Seed::named("frozen"), "g2").stream("deal/1"),
        Dice::new(&Seed::named("thawed"), "g1").stream("deal/1"),
        // The same bytes in a row, parted elsewhere between game and label.
        Dice::new(&Seed::named("frozen"), "g1d").stream("eal/1"),
    ];
    for other in others {
        assert_ne!(words(other), here);
    }
}

/// Chi-square against equal shares. The draws are frozen, so this cannot
/// fail by chance: 0.1 % of honest streams would be beyond these bounds.
#[test]
fn every_number_below_a_bound_is_equally_likely() {
    for (bound, limit) in [(2, 10.8), (6, 20.5), (12, 31.3), (48, 82.7)] {
        let mut counts = vec![0_u32; bound];
        let mut stream = dice().stream(format_args!("uniform/{bound}"));
        for _ in 0..bound * 10_000 {
            counts[stream.below(bound as u32) as usize] += 1;
        }
        let off = |count: &u32| (f64::from(*count) - 10_000.0).powi(2) / 10_000.0;
        let chi_square: f64 = counts.iter().map(off).sum();
        assert!(chi_square < limit, "below({bound}): chi-square is {chi_square:.1}");
    }
}
