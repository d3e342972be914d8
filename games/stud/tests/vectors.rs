//! What an independent engine says, hand by hand and deal by deal:
//! comparisons in three orders, openers, whole deals with the legal set at
//! every decision and every counter after every event.

mod common;

use common::{Table, cards};
use parlor_kernel::Seat;
use parlor_stud::{
    Action, Board, Card, Event, Rules, Stacks, Stakes, Street, Variant, ace_to_five,
    eight_or_better, first_to_act, high,
};

/// The places of equal hands, best first, written as digits; `-` for none.
fn order<T: Ord>(worth: &[Option<T>]) -> String {
    let place = |mine: &T| {
        let mut better: Vec<&T> = worth.iter().flatten().filter(|other| *other > mine).collect();
        better.sort();
        better.dedup();
        better.len().to_string()
    };
    worth.iter().map(|mine| mine.as_ref().map_or("-".to_owned(), place)).collect()
}

#[test]
fn a_thousand_comparisons_agree_in_three_orders() {
    let mut compared = 0;
    for line in include_str!("data/comparisons.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let hands: Vec<Vec<Card>> = fields[3..].iter().map(|hand| cards(hand)).collect();
        let worth: Vec<_> = hands.iter().map(|hand| Some(high(hand))).collect();
        assert_eq!(order(&worth), fields[0], "high: {line}");
        let worth: Vec<_> = hands.iter().map(|hand| Some(ace_to_five(hand))).collect();
        assert_eq!(order(&worth), fields[1], "razz: {line}");
        let worth: Vec<_> = hands.iter().map(|hand| eight_or_better(hand)).collect();
        assert_eq!(order(&worth), fields[2], "eight or better: {line}");
        compared += 1;
    }
    assert_eq!(compared, 1000);
}

fn variant(name: &str) -> Variant {
    serde_json::from_value(name.into()).expect("a variant")
}

/// Everyone calls and checks to the end.
#[test]
fn sixty_deals_are_opened_by_the_right_seats() {
    let mut played = 0;
    for line in include_str!("data/openers.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let seats: usize = fields[1].parse().unwrap();
        let rules = Rules { stacks: Stacks::BySeat(vec![2000; seats]), ..one_deal(fields[0]) };
        let mut table = Table::dealt(rules, &[cards(fields[4])]);
        assert_eq!(table.board().bring_in.map(|seat| seat.to_string()), place(fields[2]));
        let mut first = String::new();
        let mut street = Some(Street::Third);
        while let Some(seat) = table.board().actor {
            if table.board().street != street {
                street = table.board().street;
                first += &seat.0.to_string();
            }
            let legal = table.board().legal(4);
            let meek = [Action::BringIn, Action::Call, Action::Check];
            let action = legal.iter().find(|offer| meek.contains(&offer.action)).unwrap().action;
            table.act(seat, action);
        }
        assert_eq!(first, fields[3], "{line}");
        let up: Vec<_> = table.board().players.iter().take(seats).map(|p| p.up).collect();
        let showing = up.iter().enumerate().map(|(at, up)| (Seat(at as u8), &up[..]));
        let opener = first_to_act(variant(fields[0]), showing).map(|seat| seat.0.to_string());
        assert_eq!(opener.as_deref(), fields[3].get(3..));
        played += 1;
    }
    assert_eq!(played, 60);
}

fn place(field: &str) -> Option<String> {
    field.parse().ok().map(|seat: u8| Seat(seat).to_string())
}

fn one_deal(game: &str) -> Rules {
    let playing = serde_json::from_value(game.into()).expect("a variant");
    Rules { variant: playing, deals: Some(1), ..Rules::stud_hi() }
}

fn numbers(field: &str) -> Vec<u32> {
    field.split([',', '/']).filter_map(|number| number.parse().ok()).collect()
}

/// A deal as it is told: the table it was played at and the lines that follow.
fn replay(told: &str) {
    let lines: Vec<&str> = told.lines().filter(|line| !line.starts_with('#')).collect();
    let head: Vec<&str> = lines[0].split(' ').collect();
    let stakes = numbers(head[3]);
    let rules = Rules {
        stakes: Stakes {
            ante: stakes[0],
            bring_in: stakes[1],
            small_bet: stakes[2],
            big_bet: stakes[3],
        },
        stacks: Stacks::BySeat(numbers(head[4])),
        ..one_deal(head[2])
    };
    let deck = lines[1].strip_prefix("deck ").expect("a deck");
    let mut table = Table::dealt(rules, &[cards(deck)]);
    assert_eq!(table.events_told[1..2], ["DEAL_STARTED - - - -"]);
    let id = head[1];
    // GAME_STARTED and DEAL_STARTED open every match here.
    let mut next = 2;
    for line in &lines[2..] {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "?" => {
                let mut legal: Vec<&str> =
                    table.board().legal(4).iter().map(|offer| offer.action.name()).collect();
                legal.sort();
                assert_eq!(legal.join(" "), rest, "{id} before event {next}");
            }
            "down" => assert_eq!(rest, told_cards(&table, true), "{id}"),
            "up" => assert_eq!(rest, told_cards(&table, false), "{id}"),
            "folded" => {
                let board = table.board();
                let folded = board.dealt_in.without(board.active);
                let told: Vec<u32> = folded.iter().map(|seat| seat.0.into()).collect();
                assert_eq!(told, numbers(rest), "{id}");
            }
            "pot" => {}
            "stacks" => {
                let stacks: Vec<u32> =
                    table.board().seated().map(|seat| table.board().player(seat).stack).collect();
                assert_eq!(stacks, numbers(rest), "{id}");
            }
            _ => {
                let (event, after) = line.split_once(" = ").unwrap_or((line, ""));
                if table.events_told.len() == next {
                    let seat = table.board().actor.expect("someone is asked");
                    let action = Action::named(kind).expect("a move");
                    table.act(seat, action);
                }
                assert_eq!(table.events_told[next], event, "{id} event {next}");
                if !after.is_empty() {
                    assert_eq!(table.counters[next], after, "{id} after event {next}: {event}");
                }
                next += 1;
            }
        }
    }
    let pots: Vec<&&str> = lines.iter().filter(|line| line.starts_with("pot ")).collect();
    assert_eq!(told_pots(&table), pots.iter().map(|pot| pot.to_string()).collect::<Vec<_>>());
    assert_eq!(table.events_told.len(), next + 1, "{id}: only GAME_FINISHED follows");
}

fn told_cards(table: &Table, down: bool) -> String {
    let board: &Board = table.board();
    let hand = |seat: Seat| -> String {
        let (down_cards, up) = (table.state.down[seat.index()], board.player(seat).up);
        let cards: Vec<Option<Card>> = if down { down_cards.into() } else { up.into() };
        cards.into_iter().flatten().map(|card| card.to_string()).collect()
    };
    board.seated().map(hand).collect::<Vec<_>>().join(" ")
}

/// The oracle names the winners of a razz pot as its high.
fn told_pots(table: &Table) -> Vec<String> {
    let Some(Event::DealEnd(end)) =
        table.events.iter().find(|event| matches!(event, Event::DealEnd(_)))
    else {
        panic!("the deal is over");
    };
    let list = |seats: parlor_stud::Seats| {
        seats.iter().map(|seat| seat.0.to_string()).collect::<Vec<_>>().join(",")
    };
    let told = |pot: &parlor_stud::Pot| {
        let (high, low) = match end.variant {
            Variant::Razz => (list(pot.low), "-".to_owned()),
            _ if pot.low.is_empty() => (list(pot.high), "-".to_owned()),
            _ => (list(pot.high), list(pot.low)),
        };
        format!("pot {} {} {high} {low}", pot.amount, list(pot.seats))
    };
    end.pots.iter().map(told).collect()
}

#[test]
fn sixty_deals_play_out_event_by_event() {
    let deals: Vec<&str> = include_str!("data/deals.txt").split("\n\n").collect();
    deals.iter().for_each(|deal| replay(deal));
    assert_eq!(deals.len(), 60);
}

#[test]
fn the_points_the_contract_leaves_open_are_settled() {
    let deals: Vec<&str> = include_str!("data/edges.txt").split("\n\n").collect();
    deals.iter().for_each(|deal| replay(deal));
    assert_eq!(deals.len(), 5);
}
