//! Cases worked out by hand and by other implementations.

mod common;

use std::collections::BTreeMap;

use common::{P1, Table, card, cards, presets, set};
use parlor_kernel::{Game, Hosted, Offered, Seat};
use parlor_koikoi::{
    Action, Card, CardSet, Event, KoiFactor, KoiKoi, Phase, RoundResult, Rules, ScoredBy, Yaku,
    YakuPoints, four_pairs, fresh, pay, tally,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    yaku: Vec<YakuCase>,
    fresh: Vec<FreshCase>,
    score: Vec<ScoreCase>,
    capture: Vec<CaptureCase>,
    teshi: Vec<TeshiCase>,
    four_pairs: Vec<FourPairsCase>,
    no_card: Vec<String>,
    match_lengths: Vec<u16>,
    turns: Vec<TurnsCase>,
    rounds: Vec<RoundCase>,
}

#[derive(Deserialize)]
struct YakuCase {
    name: String,
    cards: String,
    viewings: u8,
    yaku: YakuPoints,
    base: u32,
}

#[derive(Deserialize)]
struct FreshCase {
    name: String,
    before: YakuPoints,
    after: YakuPoints,
    fresh: YakuPoints,
}

#[derive(Deserialize)]
struct ScoreCase {
    name: String,
    base: u32,
    winner_calls: u32,
    opponent_calls: u32,
    koi_factor: KoiFactor,
    seven_point_double: bool,
    r#final: u32,
}

#[derive(Deserialize)]
struct CaptureCase {
    name: String,
    card: Card,
    field: String,
    target: Option<Card>,
    captured: String,
    field_after: String,
}

#[derive(Deserialize)]
struct TeshiCase {
    name: String,
    hand: String,
    month: Option<u8>,
}

#[derive(Deserialize)]
struct FourPairsCase {
    name: String,
    hand: String,
    is: bool,
}

#[derive(Deserialize)]
struct TurnsCase {
    name: String,
    deck: String,
    turns: Vec<TurnCase>,
}

#[derive(Deserialize)]
struct TurnCase {
    seat: Seat,
    play: Card,
    target: Option<Card>,
    taken: String,
    drawn: Card,
    options: String,
    select: Option<Card>,
    drawn_takes: String,
    field: String,
    captured: String,
    pile: u8,
    next: Seat,
}

#[derive(Deserialize)]
struct RoundCase {
    name: String,
    deck: String,
    viewings: u8,
    moves: Vec<MoveCase>,
    result: String,
    turns: usize,
    pile: u8,
    field: String,
    captured: [String; 2],
    calls: [u8; 2],
    winner: Option<Seat>,
    yaku: Option<YakuPoints>,
    base: Option<u32>,
    r#final: Option<BTreeMap<String, u32>>,
}

#[derive(Deserialize)]
struct MoveCase {
    play: Card,
    target: Option<Card>,
    select: Option<Card>,
    decision: Option<String>,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("data/cases.json")).expect("the cases are well formed")
}

fn rules_with_viewings(points: u8) -> Rules {
    let mut rules = Rules::protocol();
    rules.yaku.set(Yaku::HanamiZake, points);
    rules.yaku.set(Yaku::TsukimiZake, points);
    rules
}

#[test]
fn captures_are_worth_their_yaku() {
    for case in cases().yaku {
        let held = tally(set(&case.cards), &rules_with_viewings(case.viewings));
        assert_eq!(held, case.yaku, "{}", case.name);
        assert_eq!(held.total(), case.base, "{}", case.name);
    }
}

#[test]
fn what_is_new_or_rose_asks_for_a_decision() {
    for case in cases().fresh {
        let found = fresh(&case.before, &case.after);
        assert_eq!(found, case.fresh, "{}", case.name);
        assert!(!found.is_empty(), "{}", case.name);
    }
}

#[test]
fn a_score_is_base_times_seven_times_koi() {
    for case in cases().score {
        let rules = Rules {
            koi_factor: case.koi_factor,
            seven_point_double: case.seven_point_double,
            ..Rules::protocol()
        };
        let pay = pay(&rules, case.base, case.winner_calls, case.opponent_calls);
        assert_eq!(pay.points, case.r#final, "{}", case.name);
    }
}

#[test]
fn a_card_from_the_hand_takes_its_match() {
    for case in cases().capture {
        let mut table = Table::dealt(Rules::protocol(), &[common::deck("", "", "", "")]);
        table.state.hands[0] = [case.card].into_iter().collect();
        table.state.board.field = cards(&case.field).into_iter().collect();
        let mut out = Vec::new();
        let dice = parlor_kernel::laws::opening::<KoiKoi>(&Rules::protocol(), 2, "table").dice();
        let action = Action::Play { card: case.card, target: case.target };
        KoiKoi::decide(&table.state, P1, &action, &dice, &mut out).expect(&case.name);
        KoiKoi::apply(&mut table.state, &out[0]);
        assert_eq!(table.board().captured[0].cards(), cards(&case.captured), "{}", case.name);
        assert_eq!(table.board().field.cards(), cards(&case.field_after), "{}", case.name);
    }
}

#[test]
fn a_hand_with_a_whole_month_is_teshi() {
    for case in cases().teshi {
        let quads = set(&case.hand).quads();
        let month = quads.iter().next().map(Card::month);
        assert_eq!(month, case.month, "{}", case.name);
    }
}

#[test]
fn four_months_of_two_are_four_pairs() {
    for case in cases().four_pairs {
        assert_eq!(!four_pairs(set(&case.hand)).is_empty(), case.is, "{}", case.name);
    }
    assert!(!four_pairs(set("0111 0131 0221 0231 0311 0331 0421 0431")).is_empty());
}

#[test]
fn well_formed_ids_that_are_not_in_the_deck_are_no_cards() {
    for id in cases().no_card {
        assert_eq!(Card::from_id(&id), None, "{id}");
    }
}

#[test]
fn matches_of_every_usual_length_can_be_played() {
    for rounds in cases().match_lengths {
        let asked = serde_json::json!({ "rounds": rounds });
        let rules = KoiKoi::guide().resolve(&asked).expect("this many rounds can be asked for");
        assert_eq!(KoiKoi::check(&rules), Ok(()));
        assert_eq!(rules.rounds, Some(rounds));
    }
}

#[test]
fn turns_go_as_they_should() {
    for case in cases().turns {
        let mut table = Table::dealt(Rules::protocol(), &[cards(&case.deck)]);
        for turn in &case.turns {
            let before = table.events.len();
            table.act(turn.seat, Action::Play { card: turn.play, target: turn.target });
            if let Some(target) = turn.select {
                let Phase::Selection { options, .. } = table.board().phase else {
                    panic!("{}: a choice is offered", case.name);
                };
                assert_eq!(options.to_vec(), cards(&turn.options), "{}", case.name);
                table.act(turn.seat, Action::Select { source: turn.drawn, target });
            }
            let board = table.board();
            let of_hand = |event: &Event| match event {
                Event::HandPlayed(play) if !play.taken.is_empty() => {
                    Some([&[play.card], play.taken.as_slice()].concat())
                }
                _ => None,
            };
            let of_pile = |event: &Event| match event {
                Event::CardFlipped(flip) if !flip.taken.is_empty() => {
                    Some([&[flip.card], flip.taken.as_slice()].concat())
                }
                Event::TargetChosen(choice) => Some(vec![choice.card, choice.target]),
                _ => None,
            };
            let made = &table.events[before..];
            let took = made.iter().find_map(of_hand).unwrap_or_default();
            assert_eq!(took, cards(&turn.taken), "{}", case.name);
            let took = made.iter().find_map(of_pile).unwrap_or_default();
            assert_eq!(took, cards(&turn.drawn_takes), "{}", case.name);
            assert_eq!(board.field.cards(), cards(&turn.field), "{}", case.name);
            assert_eq!(board.pile_left, turn.pile, "{}", case.name);
            let captured = board.captured[turn.seat.index()].cards();
            assert_eq!(captured, cards(&turn.captured), "{}", case.name);
            assert_eq!(board.phase, Phase::HandPlay { seat: turn.next }, "{}", case.name);
        }
    }
}

#[test]
fn whole_rounds_end_as_they_should() {
    for case in cases().rounds {
        for koi_factor in [KoiFactor::OpponentCalled, KoiFactor::AnyCalled, KoiFactor::WinnerOwn] {
            let rules = Rules { koi_factor, ..rules_with_viewings(case.viewings) };
            whole_round(&case, rules);
        }
    }
}

fn whole_round(case: &RoundCase, rules: Rules) {
    let factor = serde_json::to_value(rules.koi_factor).expect("a factor has a name");
    let mut table = Table::dealt(rules, &[cards(&case.deck)]);
    let name = &case.name;
    for (turn, play) in case.moves.iter().enumerate() {
        let seat = Seat(turn as u8 % 2);
        table.act(seat, Action::Play { card: play.play, target: play.target });
        if let Some(target) = play.select {
            let Phase::Selection { card: source, .. } = table.board().phase else {
                panic!("{name}: a choice is offered");
            };
            table.act(seat, Action::Select { source, target });
        }
        match play.decision.as_deref() {
            Some("KOI_KOI") => drop(table.act(seat, Action::KoiKoi)),
            Some(_) => drop(table.act(seat, Action::Stop)),
            None => assert!(!matches!(table.board().phase, Phase::Decision { .. }), "{name}"),
        }
    }
    let board = table.board();
    assert_eq!(board.phase, Phase::RoundOver, "{name}");
    assert_eq!(case.moves.len(), case.turns, "{name}");
    assert_eq!(board.pile_left, case.pile, "{name}");
    assert_eq!(board.field.cards(), cards(&case.field), "{name}");
    assert_eq!(board.calls, case.calls, "{name}");
    for seat in [0, 1] {
        assert_eq!(board.captured[seat].cards(), cards(&case.captured[seat]), "{name}");
    }
    match (case.result.as_str(), board.result) {
        ("drawn", Some(RoundResult::Drawn(drawn))) => assert_eq!(drawn.totals, [0, 0]),
        (result, Some(RoundResult::Scored(scored))) => {
            let by = if result == "scored" { ScoredBy::Stop } else { ScoredBy::LastCard };
            assert_eq!(scored.by, by, "{name}");
            assert_eq!(Some(scored.winner), case.winner, "{name}");
            assert_eq!(Some(scored.held), case.yaku, "{name}");
            assert_eq!(Some(scored.base), case.base, "{name}");
            let points = case.r#final.as_ref().and_then(|by| by.get(factor.as_str()?));
            assert_eq!(Some(&scored.points), points, "{name} {factor}");
        }
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn time_up_on_a_decision_stops() {
    let mut table = common::hanami_in_one_turn(Rules::protocol());
    table.act(P1, common::play("0311"));
    assert_eq!(KoiKoi::timeout(&table.state, P1), Some(Action::Stop));
}

#[test]
fn the_deck_is_whole() {
    let classes = |digit: u8| Card::DECK.iter().filter(|c| c.id().as_bytes()[2] == digit).count();
    assert_eq!([b'1', b'2', b'3', b'4'].map(classes), [5, 9, 10, 24]);
    assert_eq!(Card::DECK.into_iter().collect::<CardSet>(), CardSet::FULL);
    for one in Card::DECK {
        assert_eq!(card(one.id()), one);
    }
    assert_eq!(presets().len(), 3);
}
