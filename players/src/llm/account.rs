//! What answers take: tokens as the endpoint counts them, or as they are
//! estimated where it does not.

use std::sync::Arc;

use serde_json::Value;

use crate::llm::delta::Delta;
use crate::llm::reading::Reading;
use crate::llm::wire::Wire;

/// How many tokens answers took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Read.
    pub read: u64,
    /// Those of them that the endpoint had read before.
    pub cached: u64,
    /// Written, reasoning included.
    pub written: u64,
    /// Those of them that were reasoning.
    pub reasoning: u64,
    /// Whether some of these numbers are estimates of ours.
    pub is_estimated: bool,
}

/// Without a word of the endpoint, a token is taken for so many characters.
const CHARACTERS_A_TOKEN: u64 = 4;

impl Tokens {
    /// What an endpoint says of it; none if it says nothing. Endpoints that do
    /// not count send zeros.
    pub fn told(usage: &Value) -> Option<Tokens> {
        let number = |path: &str| usage.pointer(path).and_then(Value::as_u64);
        let first = |paths: &[&str]| paths.iter().find_map(|path| number(path)).unwrap_or(0);
        let read = first(&["/prompt_tokens", "/input_tokens"]);
        let mut written = first(&["/completion_tokens", "/output_tokens"]);
        let cached = first(&[
            "/prompt_tokens_details/cached_tokens",
            "/input_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/cache_read_input_tokens",
        ]);
        let reasoning = first(&[
            "/completion_tokens_details/reasoning_tokens",
            "/output_tokens_details/reasoning_tokens",
            "/reasoning_tokens",
        ]);
        // Most count reasoning among what is written. Where the sum says that
        // it comes on top, it does.
        if number("/total_tokens") == Some(read + written + reasoning) || reasoning > written {
            written += reasoning;
        }
        let cached = cached.min(read);
        let is_told = read + written > 0;
        is_told.then_some(Tokens { read, cached, written, reasoning, is_estimated: false })
    }

    /// An estimate, from so many characters asked, answered and reasoned.
    pub fn estimated(asked: usize, answered: usize, reasoned: usize) -> Tokens {
        let tokens = |characters: usize| (characters as u64).div_ceil(CHARACTERS_A_TOKEN);
        let reasoning = tokens(reasoned);
        Tokens {
            read: tokens(asked),
            cached: 0,
            written: tokens(answered) + reasoning,
            reasoning,
            is_estimated: true,
        }
    }

    /// All of them.
    pub fn sum(&self) -> u64 {
        self.read.saturating_add(self.written)
    }

    /// Adds what another answer took.
    pub fn add(&mut self, more: &Tokens) {
        self.read = self.read.saturating_add(more.read);
        self.cached = self.cached.saturating_add(more.cached);
        self.written = self.written.saturating_add(more.written);
        self.reasoning = self.reasoning.saturating_add(more.reasoning);
        self.is_estimated |= more.is_estimated;
    }
}

/// What was taken: tokens, and what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Tokens of every kind.
    pub tokens: u64,
    /// Millionths of a dollar; 0 where the price is unknown.
    pub micros: u64,
}

impl Spent {
    /// Adds what was taken later.
    pub fn add(&mut self, more: Spent) {
        self.tokens = self.tokens.saturating_add(more.tokens);
        self.micros = self.micros.saturating_add(more.micros);
    }
}

/// What one call takes, so far. However it ends, also when nobody waits for it
/// any more, it is booked: what the endpoint counted, or an estimate of what
/// came. Of a call that brought nothing back nobody knows that it arrived.
pub struct Bill {
    wire: Arc<dyn Wire>,
    asked: usize,
    told: Option<Tokens>,
    /// Characters of the answer and of reasoning, once something came.
    came: Option<(usize, usize)>,
    is_settled: bool,
}

impl Bill {
    /// A call with so many characters.
    pub fn new(wire: &Arc<dyn Wire>, asked: usize) -> Bill {
        let wire = Arc::clone(wire);
        Bill { wire, asked, told: None, came: None, is_settled: false }
    }

    /// Something came; `reading` has read it.
    pub fn note(&mut self, delta: &Delta, reading: &Reading) {
        if *delta != Delta::default() {
            self.told = delta.tokens.or(self.told);
            self.came = Some((reading.answered(), reading.reasoned()));
        }
    }

    fn tokens(&self) -> Tokens {
        let estimate =
            || self.came.map(|(answer, reason)| Tokens::estimated(self.asked, answer, reason));
        self.told.or_else(estimate).unwrap_or_default()
    }

    /// Nothing more comes: books what it took.
    pub fn settle(mut self) -> Tokens {
        let tokens = self.tokens();
        self.wire.book(&tokens);
        self.is_settled = true;
        tokens
    }
}

impl Drop for Bill {
    fn drop(&mut self) {
        if !self.is_settled {
            self.wire.book(&self.tokens());
        }
    }
}

/// Dollars for a million tokens of each kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Read.
    pub read: f64,
    /// Read before.
    pub cached: f64,
    /// Written.
    pub written: f64,
    /// Reasoned.
    pub reasoning: f64,
}

impl Prices {
    /// What tokens cost, in millionths of a dollar.
    pub fn cost_micros(&self, tokens: &Tokens) -> u64 {
        let Tokens { read, cached, written, reasoning, .. } = *tokens;
        let fresh = read.saturating_sub(cached) as f64;
        let answered = written.saturating_sub(reasoning) as f64;
        // Dollars for a million tokens are millionths of a dollar for one.
        let read = fresh * self.read + cached as f64 * self.cached;
        let written = answered * self.written + reasoning as f64 * self.reasoning;
        (read + written).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(usage: &Value) -> Option<(u64, u64, u64, u64)> {
        Tokens::told(usage).map(|it| (it.read, it.cached, it.written, it.reasoning))
    }

    #[test]
    fn usage_is_read_whatever_its_parts_are_called() {
        let openai = json!({
            "prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 130,
            "prompt_tokens_details": { "cached_tokens": 64 },
            "completion_tokens_details": { "reasoning_tokens": 20 },
        });
        assert_eq!(told(&openai), Some((100, 64, 30, 20)));
        let on_top = json!({
            "prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 150,
            "completion_tokens_details": { "reasoning_tokens": 20 },
        });
        assert_eq!(told(&on_top), Some((100, 0, 50, 20)));
        let hits = json!({
            "prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 12,
            "prompt_tokens_details": null,
        });
        assert_eq!(told(&hits), Some((9, 9, 1, 0)));
        assert_eq!(told(&json!({ "prompt_tokens": 0, "completion_tokens": 0 })), None);
        assert_eq!(told(&Value::Null), None);
    }

    #[test]
    fn every_kind_of_token_has_its_price() {
        let prices = Prices { read: 2.0, cached: 0.5, written: 8.0, reasoning: 4.0 };
        let tokens =
            Tokens { read: 100, cached: 60, written: 30, reasoning: 10, ..Tokens::default() };
        assert_eq!(prices.cost_micros(&tokens), 80 + 30 + 160 + 40);
    }
}
