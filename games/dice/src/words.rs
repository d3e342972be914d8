//! The game in words.

use parlor_kernel::Seat;

use crate::board::Board;
use crate::event::{Action, Bid, Seen};

pub(crate) fn label(action: &Action) -> String {
    match action {
        Action::Bid(bid) => format!("bid {}", said(*bid)),
        Action::Challenge => "challenge".to_owned(),
    }
}

pub(crate) fn narrate(seen: &Seen, board: &Board) -> String {
    let name = |seat: Seat| name(board, seat);
    match seen {
        Seen::GameStarted(setup) => {
            let names: Vec<&str> =
                setup.seats.iter().map(|sitting| sitting.name.as_str()).collect();
            let wild = if setup.rules.wild { "ones are wild" } else { "ones are ones" };
            format!("{} play with {} dice each; {wild}", names.join(", "), setup.rules.dice)
        }
        Seen::RoundRolled { round, starter, .. } => {
            format!("Round {round}: {} dice are rolled, {} begins", board.total(), name(*starter))
        }
        Seen::BidPlaced(placed) => format!("{} bids {}", name(placed.seat), said(placed.bid)),
        Seen::Challenged(shown) => {
            let hands = (0..).map(Seat).zip(&shown.hands).filter(|(_, dice)| !dice.is_empty());
            let hands: Vec<String> =
                hands.map(|(seat, dice)| format!("{} {}", name(seat), faces(dice))).collect();
            format!(
                "{} challenges {}: {}. There are {} for {}; {} loses a die",
                name(shown.seat),
                name(shown.bidder),
                hands.join(", "),
                shown.count,
                said(shown.bid),
                name(shown.loser)
            )
        }
        Seen::GameFinished(finished) => match (finished.winner, &finished.note) {
            (Some(winner), _) => format!("{} wins", name(winner)),
            (None, note) => format!("Called off: {}", note.as_deref().unwrap_or("no reason given")),
        },
    }
}

pub(crate) fn picture(board: &Board) -> String {
    let mut lines = vec![match board.bid {
        Some(placed) => {
            format!("Round {}: {} bids {}", board.round, name(board, placed.seat), said(placed.bid))
        }
        None => format!("Round {}: no bid yet", board.round),
    }];
    for (seat, hand) in (0..).map(Seat).zip(&board.hands) {
        let turn = if board.turn == Some(seat) { ">" } else { " " };
        let dice = match &hand.dice {
            _ if hand.count == 0 => "out".to_owned(),
            Some(dice) => faces(dice),
            None => vec!["?"; hand.count.into()].join(" "),
        };
        lines.push(format!("{turn} {}: {dice}", name(board, seat)));
    }
    lines.join("\n")
}

fn name(board: &Board, seat: Seat) -> String {
    let sitting = board.setup.as_ref().and_then(|setup| setup.seats.get(seat.index()));
    sitting.map_or_else(|| seat.to_string(), |sitting| sitting.name.clone())
}

fn said(bid: Bid) -> String {
    format!("{} × {}", bid.quantity, bid.face)
}

fn faces(dice: &[u8]) -> String {
    dice.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}
