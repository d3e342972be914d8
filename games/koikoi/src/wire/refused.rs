//! Why something is not taken, under the five codes that both contracts know.

use parlor_kernel::{ErrorNotice, RefusalNotice, Seat};
use schemars::JsonSchema;
use serde::Serialize;

/// The contracts' codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ErrorCode {
    InvalidCard,
    InvalidTarget,
    WrongPlayer,
    InvalidState,
    InvalidSelection,
}

/// What a TurnError says, in either dialect.
pub(super) struct Refused {
    /// Whose command it was, where a seat is proved.
    pub player: Option<&'static str>,
    pub code: ErrorCode,
    /// What the code leaves open.
    pub reason: Option<String>,
    pub message: String,
    pub retry_allowed: bool,
}

impl ErrorCode {
    fn of(code: &str) -> Option<ErrorCode> {
        match code {
            "INVALID_CARD" => Some(ErrorCode::InvalidCard),
            "INVALID_TARGET" => Some(ErrorCode::InvalidTarget),
            "WRONG_PLAYER" => Some(ErrorCode::WrongPlayer),
            "INVALID_STATE" => Some(ErrorCode::InvalidState),
            "INVALID_SELECTION" => Some(ErrorCode::InvalidSelection),
            _ => None,
        }
    }
}

impl Refused {
    /// What the game refuses.
    pub fn by_game(notice: &RefusalNotice) -> Refused {
        let code = ErrorCode::of(notice.code);
        let coarse = code.is_none().then_some(notice.code);
        Refused {
            player: Some(notice.seat.id()),
            code: code.unwrap_or(ErrorCode::InvalidState),
            reason: notice.reason.or(coarse).map(str::to_owned),
            message: notice.message.to_owned(),
            retry_allowed: !notice.is_over,
        }
    }

    /// What the server does not take; its own code is the reason.
    pub fn by_server(notice: &ErrorNotice) -> Refused {
        let own = ErrorCode::of(notice.code);
        let code = notice.game_code.and_then(ErrorCode::of).or(own);
        Refused {
            player: notice.seat.map(Seat::id),
            code: match notice.code {
                "FORBIDDEN" => ErrorCode::WrongPlayer,
                _ => code.unwrap_or(ErrorCode::InvalidState),
            },
            reason: own.is_none().then(|| notice.code.to_owned()),
            message: notice.message.to_owned(),
            retry_allowed: !notice.is_over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice<'a>(code: &'a str, game_code: Option<&'a str>) -> ErrorNotice<'a> {
        let (message, id) = ("no", "evt_error_1");
        ErrorNotice { seat: None, code, game_code, message, id, timestamp: 0, is_over: false }
    }

    #[test]
    fn whatever_the_server_does_not_take_has_one_of_five_codes_and_its_reason() {
        for (code, game_code, told, reason) in [
            ("MALFORMED", Some("INVALID_CARD"), ErrorCode::InvalidCard, Some("MALFORMED")),
            ("MALFORMED", None, ErrorCode::InvalidState, Some("MALFORMED")),
            ("POSITION_AHEAD", None, ErrorCode::InvalidState, Some("POSITION_AHEAD")),
            ("FORBIDDEN", None, ErrorCode::WrongPlayer, Some("FORBIDDEN")),
            ("INVALID_TARGET", None, ErrorCode::InvalidTarget, None),
        ] {
            let refused = Refused::by_server(&notice(code, game_code));
            assert_eq!((refused.code, refused.reason.as_deref()), (told, reason), "{code}");
        }
    }
}
