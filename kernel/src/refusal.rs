//! Why an action is not taken.

use std::fmt::{Debug, Display};

/// A refusal is a stable code for programs and a sentence for people.
pub trait Refuse: Debug + Display + Send + Sync {
    /// The code on the wire, such as `INVALID_CARD`.
    fn code(&self) -> &'static str;

    /// The precise reason, where the code is a coarse one.
    fn reason(&self) -> Option<&'static str> {
        None
    }

    /// Whether the same action might be fine at another moment: the state is
    /// against it, not the action itself.
    fn is_untimely(&self) -> bool {
        false
    }
}
