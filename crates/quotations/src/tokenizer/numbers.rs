//! Numbers: groups of digits, decimal signs and powers.

use super::{WordKind, WordScan};
use crate::signs::RAISED;

/// Digits of a group.
pub(super) const GROUP: usize = 3;

impl WordScan<'_> {
    /// Reads a number with its decimal signs, groups of digits and power.
    pub(super) fn number(&mut self) {
        let start = self.at;
        let mut written = String::new();
        let mut end = start;
        let is_lowered = self.signs[start].is_lowered;
        while let Some(sign) = self.sign_at(end) {
            if self.signs[end].is_lowered != is_lowered {
                // `10₂` is not 102.
                break;
            }
            let next_is_digit = self.sign_at(end + 1).is_some_and(char::is_numeric);
            if sign.is_numeric() || matches!(sign, '.' | ',') && next_is_digit {
                written.push(sign);
                end += 1;
            } else if self.is_before_group(&written, end) {
                end += 1;
            } else {
                break;
            }
        }
        if self.sign_at(end) == Some(RAISED)
            && let Some((raised, after)) = self.raised(end)
        {
            // `1^st` is the ordinal 1st.
            if !raised.starts_with(char::is_alphabetic) {
                written.push(RAISED);
            }
            written.push_str(&raised);
            end = after;
        }
        self.push(WordKind::Number, start..end, written.to_lowercase(), written);
        self.at = end;
    }

    /// Whether a blank at the index is between groups of digits of one number: `1 500`.
    fn is_before_group(&self, written: &str, index: usize) -> bool {
        if self.sign_at(index) != Some(' ') || !written.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let digits = (index + 1..).take_while(|&at| self.sign_at(at).is_some_and(char::is_numeric)).count();
        let is_first = (1..=GROUP).contains(&written.len());
        let is_next = written.len() > GROUP && self.signs[index - 1].sign.is_numeric();
        let continues = self.sign_at(index + 1 + digits).is_some_and(|c| matches!(c, '/' | '^'));
        digits == GROUP && !continues && (is_first && !written.starts_with('0') || is_next)
    }
}

/// A number in the notation of a language: with a point before decimals and without groups. Where the
/// language has no decimal sign, as it is written.
pub(crate) fn in_notation(number: &str, decimal: Option<char>) -> String {
    let Some(decimal) = decimal else { return number.to_owned() };
    let grouping = if decimal == ',' { '.' } else { ',' };
    let parts: Vec<&str> = number.split(grouping).collect();
    let is_grouped = parts.len() > 1
        && !parts[0].is_empty()
        && parts[0].len() <= GROUP
        && parts[0] != "0"
        && parts[1..].iter().all(|part| part.len() == GROUP)
        && !number.contains(decimal);
    if is_grouped {
        return parts.concat();
    }
    let mut signs = number.matches([decimal, grouping]);
    match (signs.next(), signs.next()) {
        (Some(_), None) => number.replace(decimal, "."),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::in_notation;

    #[test]
    fn decimal_signs_are_one_where_the_language_says_so() {
        for (one, other, decimal, same) in [
            ("0,5", "0.5", Some(','), true),
            ("0,5", "0.5", None, false),
            ("1.500", "1500", Some(','), true),
            ("1,500", "1500", Some(','), false),
            ("1,500", "1.500", Some(','), false),
            ("4.2.1", "4.21", Some(','), false),
        ] {
            assert_eq!(in_notation(one, decimal) == in_notation(other, decimal), same, "{one} {other}");
        }
    }
}
