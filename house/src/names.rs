//! The names people go by: what is taken for one, and when two look alike.

use icu_normalizer::ComposingNormalizerBorrowed;

/// The longest name a person may have.
pub const NAME_LIMIT: usize = 40;

/// A person's name as it is written down: letters composed, nothing in it that
/// nobody can see, plain single blanks. None if nothing is left of it, or if it
/// is too long or unprintable.
pub fn proper_name(name: &str) -> Option<String> {
    let name = name.trim();
    if name.chars().count() > NAME_LIMIT || name.chars().any(char::is_control) {
        return None;
    }
    let name: String = name.chars().filter(|one| !is_invisible(*one)).collect();
    let name = name.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let name = ComposingNormalizerBorrowed::new_nfc().normalize(&name).into_owned();
    (!name.is_empty()).then_some(name)
}

/// Whether two names look alike, and so cannot both be taken where players are
/// told apart by name: case, width and marks that nobody sees do not count.
pub fn same_name(name: &str, other: &str) -> bool {
    folded(name) == folded(other)
}

fn folded(name: &str) -> String {
    let compatible = ComposingNormalizerBorrowed::new_nfkc();
    let plain = proper_name(name).unwrap_or_else(|| name.to_owned());
    compatible.normalize(&compatible.normalize(&plain).to_lowercase()).into_owned()
}

/// What looks like a blank, whatever its width.
fn is_blank(one: char) -> bool {
    one == '\u{2800}' || one.is_whitespace()
}

/// What takes no room on any screen: joiners, marks of direction, fillers,
/// selectors, tags (Unicode's `Default_Ignorable_Code_Point`).
fn is_invisible(one: char) -> bool {
    matches!(one,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_looks_empty_is_none() {
        let empty = ["", " ", "\u{200b}", "\u{3164}", "\u{2800}", "\u{a0}\u{3000}", "\u{feff} "];
        for name in empty {
            assert_eq!(proper_name(name), None, "{name:?}");
        }
        assert_eq!(proper_name("Ann\nBen"), None);
        assert_eq!(proper_name("a\u{7}"), None);
        assert_eq!(proper_name(&"a".repeat(NAME_LIMIT + 1)), None);
        assert_eq!(proper_name(&"花".repeat(NAME_LIMIT)), Some("花".repeat(NAME_LIMIT)));
    }

    #[test]
    fn what_nobody_sees_is_left_out_of_a_name() {
        for name in [" Ann Lee ", "Ann\u{a0}Lee", "Ann  Lee", "A\u{200d}nn\u{3000}Lee\u{202e}"] {
            assert_eq!(proper_name(name).as_deref(), Some("Ann Lee"), "{name:?}");
        }
        assert_eq!(proper_name("Rene\u{301}").as_deref(), Some("René"));
        assert_eq!(proper_name("山田　花子").as_deref(), Some("山田 花子"));
    }

    #[test]
    fn names_that_look_alike_are_the_same() {
        for name in ["ann lee", "ANN\u{2009}LEE", "Ａｎｎ Ｌｅｅ", "Ann\u{200b} Lee"] {
            assert!(same_name(name, "Ann Lee"), "{name:?}");
        }
        assert!(same_name("René", "Rene\u{301}"));
        assert!(!same_name("Ann", "Anne"));
        assert!(!same_name("René", "Rene"));
    }
}
