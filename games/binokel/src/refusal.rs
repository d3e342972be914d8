//! Why an action is not taken: the contract's code, a precise reason, and a
//! sentence.

use parlor_kernel::Refuse;

use crate::cards::{Card, CardSet, Suit};
use crate::rules::HIGHEST_BID;
use crate::special::Special;

/// Why an action is not taken.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// What is wrong.
    pub why: Why,
    /// Whether going out was tried: the contract has a code of its own for it.
    pub going_out: bool,
}

/// What is wrong with an action.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "each is its own sentence")]
pub enum Why {
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("bids are placed in the bidding only")]
    NotInBiddingPhase,
    #[error("a bid is a multiple of ten from {least} to {most}")]
    InvalidBidAmount { least: u16, most: u16 },
    #[error("a bid is a whole number, a multiple of ten up to {HIGHEST_BID}")]
    NotABid,
    #[error("nobody can bid more than {0}: pass")]
    HighestBidReached(u16),
    #[error("nobody has bid yet: the opener must")]
    FirstBidderMustBid,
    #[error("the dabb is not being taken or laid away now")]
    NotInDabbPhase,
    #[error("only who won the bidding may do this")]
    OnlyBidWinner,
    #[error("exactly {0} cards are laid away")]
    MustDiscardExactCount(u8),
    #[error("{0} is not in your hand")]
    CardNotInHand(Card),
    #[error("there is no such card in your hand")]
    NoSuchCard,
    #[error("the same card is named twice")]
    DuplicateCard,
    #[error("take the dabb first")]
    MustTakeDabbFirst,
    #[error("the dabb is taken already")]
    DabbAlreadyTaken,
    #[error("suits are kreuz, schippe, herz and bollen")]
    InvalidSuit,
    #[error("{0} is trump already: go out in that suit")]
    TrumpIsNamed(Suit),
    #[error("what may be announced is durch and bettel")]
    InvalidSpecial,
    #[error("no {0} is played at this table")]
    SpecialNotPlayed(Special),
    #[error("a {0} gives {points}, and more was bid", points = .0.points())]
    BidIsHigher(Special),
    #[error("a {0} is announced: play it")]
    SpecialIsAnnounced(Special),
    #[error("trump is not being named now")]
    NotInTrumpPhase,
    #[error("melds are not being laid out now")]
    NotInMeldingPhase,
    #[error("your melds lie on the table already")]
    AlreadyDeclaredMelds,
    #[error("no trick is being played now")]
    NotInTricksPhase,
    #[error("{card} may not be played; you may play {}", one_of(*legal))]
    InvalidPlay { card: Card, legal: CardSet },
    #[error("the game is not being played")]
    NotInActivePhase,
}

fn one_of(cards: CardSet) -> String {
    cards.iter().map(Card::id).collect::<Vec<_>>().join(" or ")
}

impl Why {
    /// The precise reason on the wire.
    pub const fn reason(&self) -> &'static str {
        match self {
            Why::NotYourTurn => "NOT_YOUR_TURN",
            Why::NotInBiddingPhase => "NOT_IN_BIDDING_PHASE",
            Why::InvalidBidAmount { .. } | Why::NotABid | Why::HighestBidReached(_) => {
                "INVALID_BID_AMOUNT"
            }
            Why::FirstBidderMustBid => "FIRST_BIDDER_MUST_BID",
            Why::NotInDabbPhase => "NOT_IN_DABB_PHASE",
            Why::OnlyBidWinner => "ONLY_BID_WINNER",
            Why::MustDiscardExactCount(_) => "MUST_DISCARD_EXACT_COUNT",
            Why::CardNotInHand(_) | Why::NoSuchCard => "CARD_NOT_IN_HAND",
            Why::DuplicateCard => "DUPLICATE_CARD",
            Why::MustTakeDabbFirst => "MUST_TAKE_DABB_FIRST",
            Why::DabbAlreadyTaken => "DABB_ALREADY_TAKEN",
            Why::InvalidSuit | Why::TrumpIsNamed(_) => "INVALID_SUIT",
            Why::InvalidSpecial => "INVALID_SPECIAL",
            Why::SpecialNotPlayed(_) => "SPECIAL_NOT_PLAYED",
            Why::BidIsHigher(_) => "BID_IS_HIGHER",
            Why::SpecialIsAnnounced(_) => "SPECIAL_IS_ANNOUNCED",
            Why::NotInTrumpPhase => "NOT_IN_TRUMP_PHASE",
            Why::NotInMeldingPhase => "NOT_IN_MELDING_PHASE",
            Why::AlreadyDeclaredMelds => "ALREADY_DECLARED_MELDS",
            Why::NotInTricksPhase => "NOT_IN_TRICKS_PHASE",
            Why::InvalidPlay { .. } => "INVALID_PLAY",
            Why::NotInActivePhase => "NOT_IN_ACTIVE_PHASE",
        }
    }
}

impl From<Why> for Refusal {
    fn from(why: Why) -> Self {
        Refusal { why, going_out: false }
    }
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self.why {
            _ if self.going_out => "GOOUT_FAILED",
            Why::NotYourTurn | Why::OnlyBidWinner => "NOT_YOUR_TURN",
            _ => "INVALID_MOVE",
        }
    }

    fn reason(&self) -> Option<&'static str> {
        Some(self.why.reason())
    }

    fn is_untimely(&self) -> bool {
        matches!(
            self.why,
            Why::NotYourTurn
                | Why::NotInBiddingPhase
                | Why::FirstBidderMustBid
                | Why::NotInDabbPhase
                | Why::OnlyBidWinner
                | Why::MustTakeDabbFirst
                | Why::DabbAlreadyTaken
                | Why::NotInTrumpPhase
                | Why::NotInMeldingPhase
                | Why::AlreadyDeclaredMelds
                | Why::NotInTricksPhase
                | Why::NotInActivePhase
        )
    }
}
