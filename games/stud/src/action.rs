//! What a seat may try, and why not.

use parlor_kernel::Refuse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a seat may try. The first seven are moves, the others asides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    /// Pays the bring-in.
    BringIn,
    /// Lifts third street to the small bet.
    Complete,
    /// Opens a later street.
    Bet,
    /// Goes one bet higher.
    Raise,
    /// Matches the bet.
    Call,
    /// Gives up the deal.
    Fold,
    /// Stays in where nothing is bet.
    Check,
    /// Sits out from the next deal on.
    SitOut,
    /// Is dealt in again.
    ComeBack,
    /// Buys chips, having none.
    Rebuy,
    /// Takes the next seconds from the time bank.
    TimeBank,
    /// Ends a match in which nobody else wants to play.
    Claim,
    /// The seat's time is up. The clock says so, and nobody else.
    #[schemars(skip)]
    TimeOut,
}

impl Action {
    /// Every action there is for players.
    pub const ALL: [Action; 12] = [
        Action::BringIn,
        Action::Complete,
        Action::Bet,
        Action::Raise,
        Action::Call,
        Action::Fold,
        Action::Check,
        Action::SitOut,
        Action::ComeBack,
        Action::Rebuy,
        Action::TimeBank,
        Action::Claim,
    ];

    /// How wires write it.
    pub const fn name(self) -> &'static str {
        match self {
            Action::BringIn => "BRING_IN",
            Action::Complete => "COMPLETE",
            Action::Bet => "BET",
            Action::Raise => "RAISE",
            Action::Call => "CALL",
            Action::Fold => "FOLD",
            Action::Check => "CHECK",
            Action::SitOut => "SIT_OUT",
            Action::ComeBack => "COME_BACK",
            Action::Rebuy => "REBUY",
            Action::TimeBank => "TIME_BANK",
            Action::Claim => "CLAIM",
            Action::TimeOut => "TIME_OUT",
        }
    }

    /// The action wires write like this.
    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.name() == name)
    }
}

/// Why an action is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "each is its own sentence")]
pub enum Refusal {
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("no bets are taken now: the table waits for {0}")]
    NoBetting(&'static str),
    #[error("on third street nobody checks: bring it in for {bring_in} or complete to {small_bet}")]
    NoCheckOnThird { bring_in: u32, small_bet: u32 },
    #[error("you cannot check: {to_call} to call")]
    FacingABet { to_call: u32 },
    #[error("{0} is for third street, before anyone has bet; bet or check instead")]
    ThirdStreetOnly(&'static str),
    #[error("the bring-in has been posted: call {to_call}, complete or fold")]
    BroughtIn { to_call: u32 },
    #[error("you have put chips in on this street already: only a seat that has not may complete")]
    AlreadyIn,
    #[error("a full bet stands: {to_call} to call")]
    Completed { to_call: u32 },
    #[error("there is nothing to {0}: nobody has bet")]
    NothingBet(&'static str),
    #[error("the bring-in is yours: bring it in or complete")]
    MustBringIn,
    #[error("with at most the bring-in left you can only bring it in")]
    OnlyBringIn,
    #[error("only who waits alone for others may claim the match")]
    NotAlone,
    #[error("the first bet of third street is the bring-in or a completion")]
    NoBetOnThird,
    #[error("only a full bet can be raised: complete it first")]
    NotCompleted,
    #[error("the betting is capped at {0} raises")]
    Capped(u8),
    #[error("you have acted already, and nobody has made a full raise since: call or fold")]
    NotReopened,
    #[error("your stack does not reach beyond the call: call or fold")]
    StackTooShort,
    #[error("nobody could call more: call or fold")]
    NobodyCouldCall,
    #[error("you sit out already")]
    SitsOut,
    #[error("you are dealt in already")]
    DealtIn,
    #[error("this table sells no chips")]
    NoRebuys,
    #[error("chips are bought when the stack is gone and the deal is over")]
    NotBroke,
    #[error("this table holds as many chips as it may")]
    TableIsFull,
    #[error("no clock runs for you")]
    NoClock,
    #[error("your time bank is empty")]
    BankIsEmpty,
    #[error("the match is over")]
    Over,
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::NotYourTurn => "NOT_YOUR_TURN",
            Refusal::Over => "GAME_OVER",
            Refusal::NoBetting(_) => "NO_BETTING",
            Refusal::SitsOut | Refusal::DealtIn => "ALREADY_SO",
            Refusal::NoRebuys | Refusal::NotBroke | Refusal::TableIsFull => "NO_REBUY",
            Refusal::NoClock | Refusal::BankIsEmpty => "NO_TIME_BANK",
            Refusal::NotAlone => "NO_CLAIM",
            _ => "ILLEGAL_ACTION",
        }
    }

    /// The state is against every one of these; none is nonsense by itself.
    fn is_untimely(&self) -> bool {
        true
    }
}
