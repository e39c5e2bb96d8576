//! One spelling for words that are spelt in two ways, so that another spelling is not another subject or
//! condition.

use crate::vocabulary::spelling;

/// A word in lower case in one spelling: American English, and `ss` for `ß`.
pub(crate) fn one_spelling(word: &str) -> String {
    let mut word = word.replace('ß', "ss");
    for (british, american) in &spelling().words {
        if *british == word {
            return american.clone();
        }
    }
    for (british, american) in &spelling().parts {
        if word.contains(&**british) {
            word = word.replace(&**british, american);
        }
    }
    for (british, american, shortest) in &spelling().endings {
        if let Some(stem) = word.strip_suffix(&**british)
            && word.chars().count() >= *shortest
        {
            return format!("{stem}{american}");
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_a_word_are_one_and_other_words_stay_apart() {
        for (british, american) in [
            ("galvanised", "galvanized"),
            ("colours", "colors"),
            ("labelled", "labeled"),
            ("centre", "center"),
            ("grey", "gray"),
            ("analyse", "analyze"),
            ("gefäß", "gefäss"),
        ] {
            assert_eq!(one_spelling(british), one_spelling(american), "{british}");
        }
        for (one, other) in [("filled", "filed"), ("four", "for"), ("hour", "hor"), ("rise", "rize")] {
            assert_ne!(one_spelling(one), one_spelling(other), "{one}");
        }
    }
}
