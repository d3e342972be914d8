//! Codes that are easy to keep in mind: `still-pilz-29`.

mod words;

use crate::secrets::below;
use words::{ADJECTIVES, NOUNS};

/// Numbers have two digits.
const NUMBERS: std::ops::Range<u32> = 10..100;

/// A code to pass on by word of mouth: one of some sixteen million.
pub fn memorable() -> String {
    let adjective = one_of(&ADJECTIVES);
    let noun = one_of(&NOUNS);
    let number = NUMBERS.start + below(NUMBERS.end - NUMBERS.start);
    format!("{adjective}-{noun}-{number}")
}

fn one_of(words: &[&'static str]) -> &'static str {
    words.get(below(words.len() as u32) as usize).copied().unwrap_or_default()
}

/// Whether this has the shape of such a code.
pub fn looks_memorable(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(first), Some(second), Some(number), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic());
    is_word(first)
        && is_word(second)
        && number.len() == 2
        && number.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn words_are_short_plain_and_there_once() {
        for words in [&ADJECTIVES[..], &NOUNS[..]] {
            let plain = |word: &&str| {
                (3..=10).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase())
            };
            assert!(words.iter().all(plain));
            assert_eq!(words.iter().collect::<HashSet<_>>().len(), words.len());
        }
    }

    #[test]
    fn a_code_looks_like_one_in_any_case() {
        for _ in 0..100 {
            let code = memorable();
            assert!(looks_memorable(&code), "{code}");
            assert!(looks_memorable(&code.to_ascii_uppercase()), "{code}");
        }
        for other in ["t-abcdefgh", "a-b-c-12", "still-pilz", "still-pilz-123", "-pilz-12", ""] {
            assert!(!looks_memorable(other), "{other}");
        }
    }
}
