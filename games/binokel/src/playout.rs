//! Binokel played out fast.

use std::sync::Arc;

use parlor_kernel::{Player, Playout, Quick, RandomPlayout, Seat};

use crate::event::{Action, Event, Seen};
use crate::game::Binokel;
use crate::seats::at;
use crate::sight;
use crate::state::State;

impl Quick for Binokel {
    /// What happens in front of everyone.
    #[inline(always)]
    fn see_alike(event: &Event) -> Option<Seen> {
        // Most events are this one, as in `apply`.
        if let Event::CardPlayed(play) = event {
            return Some(Seen::CardPlayed(*play));
        }
        Some(match event {
            Event::NewRoundStarted(start) => Seen::NewRoundStarted(*start),
            Event::BidPlaced(bid) => Seen::BidPlaced(*bid),
            Event::PlayerPassed(passed) => Seen::PlayerPassed(*passed),
            Event::GoingOut(named) => Seen::GoingOut(*named),
            Event::TrumpDeclared(named) => Seen::TrumpDeclared(*named),
            Event::SpecialAnnounced(announced) => Seen::SpecialAnnounced(*announced),
            Event::MeldsDeclared(declared) => Seen::MeldsDeclared(*declared),
            Event::MeldingComplete(complete) => Seen::MeldingComplete(*complete),
            Event::CardPlayed(play) => Seen::CardPlayed(*play),
            Event::TrickWon(won) => Seen::TrickWon(*won),
            Event::RoundScored(scored) => Seen::RoundScored(*scored),
            Event::GameFinished(finished) => Seen::GameFinished(Arc::clone(finished)),
            Event::GameTerminated(terminated) => Seen::GameTerminated(Arc::clone(terminated)),
            Event::GameStarted(_)
            | Event::CardsDealt(_)
            | Event::BiddingWon(_)
            | Event::DabbTaken(_)
            | Event::CardsDiscarded(_) => return None,
        })
    }

    fn random() -> Box<dyn Player<Binokel>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for Binokel {
    type Moves = Vec<Action>;

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        let Some(rules) = state.rules() else { return };
        sight::moves(&state.board, rules, seat, state.hands[at(seat)], out);
    }
}
