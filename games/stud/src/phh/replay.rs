//! Plays a deal that was read again, by the rules and over a stacked deck.

use parlor_kernel::{
    Cause, Dice, FormatError, Game, Log, Opening, Seal, Seat, Seed, Sitting, Stacked,
};

use super::calendar::milliseconds;
use super::cards::Known;
use super::notation::{Note, What};
use super::read::{Told, wrong};
use crate::action::Action;
use crate::board::{Board, Phase};
use crate::event::Street;
use crate::game::Stud;
use crate::rules::{Rules, Stacks, Variant, VariantChoice};
use crate::seats::{SEATS, Seats, at};
use crate::state::State;

/// How often closed hands are made up before none seems to fit.
const TRIES: u32 = 2_000;

/// The deal as a match of its own. Cards nobody saw are made up, again and
/// again where hands stayed closed at the showdown, until the deal ends as it
/// is told.
pub(super) fn replay(told: &Told) -> Result<Log<Stud>, FormatError> {
    // A text does not tell which rulings it was played by; the present ones are
    // tried first.
    replay_by(told, Rules::stud_hi())
        .or_else(|unlike| replay_by(told, Rules::first_edition()).map_err(|_| unlike))
}

fn replay_by(told: &Told, rules: Rules) -> Result<Log<Stud>, FormatError> {
    let known = Known::gather(told)?;
    let opening = opening(told, rules)?;
    let mut chance = Dice::new(&Seed::named(&opening.game_id), "phh").stream("unseen");
    let mut unlike = wrong(told.line, "no cards can be dealt like this");
    for _ in 0..TRIES {
        let order = known.deck(&mut chance).iter().map(|card| card.place() as u16).collect();
        let stacked = Stacked::from([("deal/1".to_owned(), order)]);
        let seal = Seal::stacked(&opening.game_id, stacked);
        let replay = Replay::of(told, Opening { seal, ..opening.clone() })?;
        let closed = replay.closed_hands(&known);
        replay.is_decided(closed)?;
        match replay.ends_as_told(closed) {
            Ok(()) => return Ok(replay.log),
            Err(difference) if closed.is_empty() => return Err(difference),
            Err(difference) => unlike = difference,
        }
    }
    Err(unlike)
}

fn opening(told: &Told, rulings: Rules) -> Result<Opening<Rules>, FormatError> {
    let hand = &told.hand;
    let rules = Rules {
        variant: match hand.variant {
            Variant::StudHi => VariantChoice::StudHi,
            Variant::Razz => VariantChoice::Razz,
            Variant::Stud8 => VariantChoice::Stud8,
        },
        stakes: hand.stakes,
        stacks: Stacks::BySeat(hand.stacks.clone()),
        deals: Some(1),
        cap: hand.cap,
        muck: hand.notes.iter().any(|note| note.what == What::Mucks),
        turn_seconds: 0,
        ..rulings
    };
    rules.check().map_err(|error| wrong(told.stakes_line, error.to_string()))?;
    let sitting = |(place, name): (u8, &String)| Sitting {
        player_id: Seat(place).player_id(),
        name: name.clone(),
        bot: None,
    };
    // The same deal has the same id wherever it is read, and is one game.
    let fingerprint = Seed::named(&hand.to_string());
    let [a, b, c, d, e, f, g, h, ..] = *fingerprint.bytes();
    let game_id = format!("phh-{:016x}", u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    Ok(Opening {
        seats: (0..).zip(&hand.players).map(sitting).collect(),
        seal: Seal::named(&game_id),
        rules,
        game_id,
    })
}

/// A deal on its way through the rules.
struct Replay<'a> {
    told: &'a Told,
    dice: Dice,
    state: State,
    log: Log<Stud>,
    timestamp: u64,
    /// How many cards the text has dealt to each player so far.
    given: [usize; SEATS],
}

impl<'a> Replay<'a> {
    /// Plays the deal to its end, or to where the text ends.
    fn of(told: &'a Told, opening: Opening<Rules>) -> Result<Replay<'a>, FormatError> {
        let mut replay = Replay {
            told,
            dice: opening.dice(),
            state: State::default(),
            log: Log::default(),
            timestamp: told.hand.began.and_then(milliseconds).unwrap_or(0),
            given: [0; SEATS],
        };
        Stud::open(opening, &replay.dice, &mut replay.log.events);
        replay.settle(0, Cause::House);
        let mut last = told.line;
        for (note, line) in told.hand.notes.iter().zip(&told.note_lines) {
            replay.follow(note).map_err(|why| wrong(*line, format!("{note}: {why}")))?;
            last = *line;
        }
        replay
            .all_dealt()
            .map_err(|why| wrong(last, format!("the actions end here, and {why}")))?;
        Ok(replay)
    }

    fn settle(&mut self, first: usize, cause: Cause<Action>) {
        self.log.begin_at(first, cause, self.timestamp);
        for event in &self.log.events[first..] {
            Stud::apply(&mut self.state, event);
        }
    }

    fn board(&self) -> &Board {
        &self.state.board
    }

    fn is_over(&self) -> bool {
        self.board().phase != Phase::Dealing
    }

    fn follow(&mut self, note: &Note) -> Result<(), String> {
        let seat = note.who;
        match &note.what {
            What::Dealt(cards) => self.dealt(seat, cards.len()),
            What::Shows(_) | What::Mucks if !self.board().active.contains(seat) => {
                Err(format!("{seat} has folded"))
            }
            What::Shows(_) if self.is_over() || self.board().face_up => Ok(()),
            What::Mucks if self.is_over() => Ok(()),
            What::Mucks if self.board().face_up => {
                Err("nobody can bet any more, and the hands play on face up".to_owned())
            }
            What::Shows(_) | What::Mucks => Err("there is no showdown yet".to_owned()),
            What::BringIn => self.act(seat, Action::BringIn),
            What::Folds => self.act(seat, Action::Fold),
            What::ChecksOrCalls if self.board().current_bet > 0 => self.act(seat, Action::Call),
            What::ChecksOrCalls => self.act(seat, Action::Check),
            What::GoesTo(chips) => self.attack(seat, *chips),
        }
    }

    /// The rules deal by themselves, in the order of the stacked deck. Here
    /// the text catches up with them.
    fn dealt(&mut self, seat: Seat, cards: usize) -> Result<(), String> {
        let given = self.given[at(seat)] + cards;
        if given > held(self.board(), seat) {
            return Err(format!("{seat} is not dealt another card now"));
        }
        self.given[at(seat)] = given;
        Ok(())
    }

    fn all_dealt(&self) -> Result<(), String> {
        let board = self.board();
        let waits = |seat: &Seat| self.given[at(*seat)] < held(board, *seat);
        match board.dealt_in.iter().find(waits) {
            Some(seat) => Err(format!("{seat} has yet to be dealt to")),
            None => Ok(()),
        }
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<(), String> {
        self.all_dealt()?;
        match self.board().actor {
            None if self.is_over() => return Err("the deal is over".to_owned()),
            Some(actor) if actor != seat => return Err(format!("it is the turn of {actor}")),
            _ => {}
        }
        let first = self.log.events.len();
        Stud::decide(&self.state, seat, &action, &self.dice, &mut self.log.events)
            .map_err(|refusal| refusal.to_string())?;
        self.settle(first, Cause::Seat { seat, action });
        Ok(())
    }

    fn attack(&mut self, seat: Seat, chips: u32) -> Result<(), String> {
        let board = self.board();
        let third = board.street == Some(Street::Third);
        let action = match (board.full_bet, board.current_bet) {
            (0, _) if third => Action::Complete,
            (_, 0) => Action::Bet,
            _ => Action::Raise,
        };
        if board.actor == Some(seat) {
            let offers = board.legal(self.told.hand.cap);
            let offer = offers.iter().find(|offer| offer.action == action);
            let allowed = offer.map(|offer| board.player(seat).committed_this_street + offer.paid);
            if let Some(allowed) = allowed.filter(|allowed| *allowed != chips) {
                return Err(format!("the limit here is {allowed}, no more and no less"));
            }
        }
        self.act(seat, action)
    }

    /// Who came to the showdown with cards the text does not know.
    fn closed_hands(&self, known: &Known) -> Seats {
        let contested = self.state.last_deal.as_deref().is_some_and(|end| end.seat.is_none());
        let in_it = self.board().active.iter();
        in_it.filter(|seat| contested && !known.knows(*seat)).collect()
    }

    /// A hand that stayed closed without being mucked may have won or not:
    /// then only the stacks at the end can tell.
    fn is_decided(&self, closed: Seats) -> Result<(), FormatError> {
        let hand = &self.told.hand;
        let mucked = hand.notes.iter().filter(|note| note.what == What::Mucks);
        match closed.without(mucked.map(|note| note.who).collect()).first() {
            Some(seat) if hand.finishing.is_none() => Err(wrong(
                self.told.line,
                format!(
                    "{seat} comes to the showdown with unknown cards, and no finishing_stacks \
                     say who won"
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Whether the deal ends as it is told, as far as it is over.
    fn ends_as_told(&self, closed: Seats) -> Result<(), FormatError> {
        let Some(end) = self.state.last_deal.as_deref() else { return Ok(()) };
        let hand = &self.told.hand;
        for (note, line) in hand.notes.iter().zip(&self.told.note_lines) {
            let wins = end.pots.iter().any(|pot| {
                pot.seats.len() > 1 && (pot.high.contains(note.who) || pot.low.contains(note.who))
            });
            let shows = end.shown.iter().any(|shown| shown.seat == note.who);
            // Cards that are made up must be such that they stay closed; known
            // ones may, for whatever reason their player had.
            let contradicts = wins || shows && closed.contains(note.who);
            if note.what == What::Mucks && end.seat.is_none() && contradicts {
                return Err(wrong(*line, format!("{note}: this hand wins, and a winner shows")));
            }
        }
        match &hand.finishing {
            Some(finishing) if finishing[..] != end.stacks[..] => {
                let sentence = if closed.is_empty() {
                    format!("by the cards and the rules the stacks end at {:?}", end.stacks)
                } else {
                    "no cards in the hands that stayed closed lead to these stacks".to_owned()
                };
                Err(wrong(self.told.finishing_line, sentence))
            }
            _ => Ok(()),
        }
    }
}

/// How many cards the rules have dealt to a seat.
fn held(board: &Board, seat: Seat) -> usize {
    let player = board.player(seat);
    player.up.iter().flatten().count() + usize::from(player.down)
}
