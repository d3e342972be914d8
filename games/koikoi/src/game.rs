//! Koi-Koi as the kernel plays it: what happens when, and who sees it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use parlor_kernel::{
    Awaiting, CalledOff, Dice, Game, Hosted, Opened, Opening, Player, Playout, Quick,
    RandomPlayout, Seat, Told, Viewer,
};

use crate::board::{Board, Hand, Knowledge, MatchSetup, Phase, State, at};
use crate::cards::{Card, Pile};
use crate::deal;
use crate::event::{
    Action, DealSeen, Ending, Event, GameFinished, GameStarted, KoiKoiCalled, Refusal, ScoredBy,
    Seen,
};
use crate::round::{Turn, deal_round};
use crate::rules::Rules;
use crate::yaku::YakuPoints;

/// Koi-Koi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KoiKoi;

impl Game for KoiKoi {
    const NAME: &'static str = "koikoi";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(_: &Rules) -> RangeInclusive<usize> {
        2..=2
    }

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        let first_dealer = deal::first_dealer(&opening.rules, dice);
        let start = Arc::new(GameStarted { opening, first_dealer });
        out.push(Event::GameStarted(Arc::clone(&start)));
        let Opening { rules, seal, .. } = &start.opening;
        deal_round(rules, seal, &Board::default(), first_dealer, dice, out);
    }

    #[inline]
    fn opened(state: &State) -> Option<&Opened<Rules>> {
        state.opened.as_ref()
    }

    #[inline]
    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        _: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let board = &state.board;
        let wrong_moment =
            || Refusal::WrongMoment { waits_for: board.phase.waits_for(), tried: action.tried() };
        if board.phase.seat().is_some_and(|awaited| awaited != seat) {
            return Err(Refusal::NotYourTurn);
        }
        let Some(opened) = &state.opened else { return Err(wrong_moment()) };
        let turn = Turn { state, rules: opened.rules(), seal: &opened.seal, seat };
        match (board.phase, *action) {
            (Phase::HandPlay { .. }, Action::Play { card, target }) => turn.play(card, target, out),
            (Phase::Selection { card, options, .. }, Action::Select { source, target }) => {
                turn.select(card, options, source, target, out)
            }
            (Phase::Decision { .. }, Action::KoiKoi) => {
                let calls = board.calls[at(seat)].saturating_add(1);
                out.push(Event::KoiKoiCalled(KoiKoiCalled { seat, calls }));
                Ok(())
            }
            (Phase::Decision { .. }, Action::Stop) => {
                let held = board.held[at(seat)];
                turn.score(seat, ScoredBy::Stop, held, YakuPoints::default(), out);
                Ok(())
            }
            _ => Err(wrong_moment()),
        }
    }

    fn proceed(state: &State, dice: &Dice, out: &mut Vec<Event>) {
        if let (Phase::RoundOver, Some(opened)) = (state.board.phase, &state.opened) {
            let dealer = deal::next_dealer(opened.rules(), &state.board);
            deal_round(opened.rules(), &opened.seal, &state.board, dealer, dice, out);
        }
    }

    #[inline]
    fn apply(state: &mut State, event: &Event) {
        let board = &mut state.board;
        match event {
            Event::GameStarted(start) => state.opened = Some(Opened::of(&start.opening)),
            Event::RoundDealt(dealt) => {
                board.deal(dealt.round, dealt.dealer, dealt.field);
                state.hands = dealt.hands.map(|hand| hand.into_iter().collect());
                state.pile = Pile::dealt(dealt.pile);
            }
            Event::HandPlayed(play) => {
                state.hands[at(play.seat)].remove(play.card);
                board.play(play.seat, play.card, play.taken);
            }
            Event::CardFlipped(flip) => {
                state.pile.draw();
                board.flip(flip.seat, flip.card, flip.taken);
            }
            Event::ChoiceOffered(offer) => {
                state.pile.draw();
                board.offer(*offer);
            }
            Event::TargetChosen(choice) => board.choose(*choice),
            Event::YakuFormed(formed) => board.form(*formed),
            Event::KoiKoiCalled(called) => board.call(*called),
            Event::RoundScored(scored) => board.score(*scored),
            Event::RoundDrawn(drawn) => board.draw(*drawn),
            Event::RoundEndedInstantly(instant) => board.end_instantly(*instant),
            Event::GameFinished(finished) => board.finish(Arc::clone(finished)),
        }
    }

    #[inline]
    fn awaiting(state: &State) -> Awaiting {
        match state.board.phase {
            Phase::HandPlay { seat } => Awaiting::only(seat, "AWAITING_HAND_PLAY"),
            Phase::Selection { seat, .. } => Awaiting::only(seat, "AWAITING_SELECTION"),
            Phase::Decision { seat, .. } => Awaiting::only(seat, "AWAITING_DECISION"),
            Phase::RoundOver => Awaiting::House { kind: "NEXT_ROUND" },
            Phase::Unopened | Phase::Finished => Awaiting::Nobody,
        }
    }

    /// Hands are for their seats and the pile for nobody, but those who see
    /// all; the seed is for nobody before the match is over.
    #[inline(always)]
    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        Some(match event {
            Event::GameStarted(start) => {
                let setup = Arc::clone(&state.opened.as_ref()?.setup);
                let first_dealer = start.first_dealer;
                Seen::GameStarted(Arc::new(MatchSetup { setup, first_dealer }))
            }
            Event::RoundDealt(dealt) => {
                let hand = |seat| viewer.shares(seat).then_some(dealt.hands[at(seat)]);
                Seen::RoundDealt(DealSeen {
                    round: dealt.round,
                    dealer: dealt.dealer,
                    hands: [hand(Seat(0)), hand(Seat(1))],
                    field: dealt.field,
                    pile: viewer.sees_all().then_some(dealt.pile),
                })
            }
            Event::HandPlayed(play) => Seen::HandPlayed(*play),
            Event::CardFlipped(flip) => Seen::CardFlipped(*flip),
            Event::ChoiceOffered(offer) => Seen::ChoiceOffered(*offer),
            Event::TargetChosen(choice) => Seen::TargetChosen(*choice),
            Event::YakuFormed(formed) => Seen::YakuFormed(*formed),
            Event::KoiKoiCalled(called) => Seen::KoiKoiCalled(*called),
            Event::RoundScored(scored) => Seen::RoundScored(*scored),
            Event::RoundDrawn(drawn) => Seen::RoundDrawn(*drawn),
            Event::RoundEndedInstantly(instant) => Seen::RoundEndedInstantly(*instant),
            Event::GameFinished(finished) => Seen::GameFinished(Arc::clone(finished)),
        })
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        Knowledge {
            viewer,
            table: None,
            board: Board::default(),
            hands: [Hand::Closed { count: 0 }; 2],
            pile: None,
        }
    }

    #[inline(always)]
    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        let board = &mut knowledge.board;
        match seen {
            Seen::GameStarted(table) => knowledge.table = Some(Arc::clone(table)),
            Seen::RoundDealt(dealt) => {
                board.deal(dealt.round, dealt.dealer, dealt.field);
                knowledge.hands = dealt.hands.map(|hand| match hand {
                    Some(cards) => Hand::Open(cards.into_iter().collect()),
                    None => Hand::Closed { count: 8 },
                });
                knowledge.pile = dealt.pile.map(Pile::dealt);
            }
            Seen::HandPlayed(play) => {
                match &mut knowledge.hands[at(play.seat)] {
                    Hand::Open(cards) => cards.remove(play.card),
                    Hand::Closed { count } => *count = count.saturating_sub(1),
                }
                board.play(play.seat, play.card, play.taken);
            }
            Seen::CardFlipped(flip) => {
                knowledge.draw();
                knowledge.board.flip(flip.seat, flip.card, flip.taken);
            }
            Seen::ChoiceOffered(offer) => {
                knowledge.draw();
                knowledge.board.offer(*offer);
            }
            Seen::TargetChosen(choice) => board.choose(*choice),
            Seen::YakuFormed(formed) => board.form(*formed),
            Seen::KoiKoiCalled(called) => board.call(*called),
            Seen::RoundScored(scored) => board.score(*scored),
            Seen::RoundDrawn(drawn) => board.draw(*drawn),
            Seen::RoundEndedInstantly(instant) => board.end_instantly(*instant),
            Seen::GameFinished(finished) => board.finish(Arc::clone(finished)),
        }
    }

    #[inline]
    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        let Some(seat) = knowledge.viewer.seat() else { return };
        let Hand::Open(hand) = knowledge.hands[at(seat)] else { return };
        knowledge.board.moves(seat, hand, out);
    }
}

impl Hosted for KoiKoi {
    fn turn_seconds(state: &State) -> u32 {
        let setup = state.opened.as_ref().map(|opened| &opened.setup);
        setup.and_then(|setup| setup.turn_clock(setup.rules.turn_seconds)).unwrap_or(0)
    }

    /// The lowest class card is played, the first option chosen, the round
    /// ended.
    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        let board = &state.board;
        if board.phase.seat() != Some(seat) {
            return None;
        }
        match board.phase {
            Phase::HandPlay { .. } => {
                let lowest = |card: &Card| std::cmp::Reverse(card.class());
                let card = state.hands[at(seat)].iter().min_by_key(lowest)?;
                let target = match board.field.matches(card)[..] {
                    [first, _] => Some(first),
                    _ => None,
                };
                Some(Action::Play { card, target })
            }
            Phase::Selection { card, options, .. } => {
                Some(Action::Select { source: card, target: options[0] })
            }
            Phase::Decision { .. } => Some(Action::Stop),
            Phase::Unopened | Phase::RoundOver | Phase::Finished => None,
        }
    }

    /// A match may be called off at any time; the round under way counts nothing.
    fn call_off(state: &State, reason: &str, out: &mut Vec<Event>) {
        let Some(opened) = &state.opened else { return };
        out.push(Event::GameFinished(Arc::new(GameFinished {
            winner: None,
            reason: Ending::CalledOff,
            note: Some(reason.to_owned()),
            totals: state.board.totals,
            opening: opened.seal.open(),
        })));
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let finished = state.board.finished.as_deref();
        let end = finished.filter(|finished| finished.reason == Ending::CalledOff)?;
        Some(CalledOff { by: None, reason: end.note.clone().unwrap_or_default() })
    }
}

impl Told for KoiKoi {
    fn is_private(_: &State, event: &Event) -> bool {
        matches!(event, Event::GameStarted(_) | Event::RoundDealt(_))
    }
}

impl Quick for KoiKoi {
    fn random() -> Box<dyn Player<KoiKoi>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for KoiKoi {
    type Moves = Vec<Action>;

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        state.board.moves(seat, state.hands[at(seat)], out);
    }
}
