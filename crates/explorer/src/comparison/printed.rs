//! Plain text as in print: raised and lowered signs instead of `^` and `_`.
//!
//! Plain text has `10^2`, `F_max` and `x_(1, 2)` for scripts, and ` ^1)` for the mark of a footnote
//! (docs/packages.md).

use maud::{Markup, html};

/// Most characters of a script without brackets; longer words after `_` are parts of a name.
const LONGEST: usize = 6;

/// A text with scripts as in print.
pub(crate) fn printed(text: &str) -> Markup {
    let mut parts: Vec<Markup> = Vec::new();
    let mut done = 0;
    while let Some(script) = next_script(text, done) {
        let before = &text[done..script.sign];
        let (sign, words) = (&text[script.sign..=script.sign], &text[script.start..script.end]);
        parts.push(html! {
            (before)
            @if sign == "^" { sup { (words) } } @else { sub { (words) } }
        });
        done = script.after;
    }
    html! { @for part in &parts { (part) } (text[done..]) }
}

/// Bytes of a script in a text.
struct Script {
    sign: usize,
    /// The first byte of its words.
    start: usize,
    /// The first byte after its words.
    end: usize,
    /// The first byte after it, with the bracket that closes it.
    after: usize,
}

fn next_script(text: &str, from: usize) -> Option<Script> {
    let mut search = from;
    while let Some(offset) = text[search..].find(['^', '_']) {
        let sign = search + offset;
        if let Some(script) = script_at(text, sign) {
            return Some(script);
        }
        search = sign + 1;
    }
    None
}

/// The script that begins with a sign; `None` where the sign is one of a name or of code.
fn script_at(text: &str, sign: usize) -> Option<Script> {
    let (before, rest) = (&text[..sign], &text[sign + 1..]);
    let start = sign + 1;
    let is_raised = text[sign..].starts_with('^');
    if !is_raised && !is_symbol(before) {
        return None;
    }
    if let Some(inside) = rest.strip_prefix('(') {
        let end = start + 1 + inside.find(')')?;
        return Some(Script { sign, start: start + 1, end, after: end + 1 });
    }
    let signed = rest.strip_prefix(['−', '-', '+']).unwrap_or(rest);
    let first = signed.chars().next()?;
    let is_own = if first.is_ascii_digit() { |c: char| c.is_ascii_digit() } else { char::is_alphabetic };
    let run: usize = signed.chars().take_while(|&c| is_own(c)).map(char::len_utf8).sum();
    if run == 0 || (!is_raised && signed[..run].chars().count() > LONGEST) || signed[run..].starts_with('_') {
        return None;
    }
    let mut end = text.len() - signed.len() + run;
    // The mark of a footnote after a blank: ` ^1)`.
    if before.ends_with(char::is_whitespace) && text[end..].starts_with(')') {
        end += 1;
    }
    Some(Script { sign, start, end, after: end })
}

/// True if a text ends with the symbol of a quantity: one or two letters, or letters that are not all in
/// lower case, as those of a name are.
fn is_symbol(text: &str) -> bool {
    let mut symbol: Vec<char> = Vec::new();
    for c in text.chars().rev() {
        if c == '_' {
            return false;
        }
        if !c.is_alphanumeric() {
            break;
        }
        symbol.push(c);
    }
    let is_name = symbol.len() > 2 && symbol.iter().all(|c| c.is_lowercase());
    !symbol.is_empty() && !is_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_raised_and_lowered_with_their_sign_hidden() {
        for (text, html) in [
            ("10^2 3", "10<sup>2</sup> 3"),
            ("m s^−1", "m s<sup>−1</sup>"),
            ("e^(−xt) + 1", "e<sup>−xt</sup> + 1"),
            ("H_2O", "H<sub>2</sub>O"),
            ("MTTF_d is", "MTTF<sub>d</sub> is"),
            ("F_max < 3", "F<sub>max</sub> &lt; 3"),
            ("ISO 712 ^1)", "ISO 712 <sup>1)</sup>"),
            ("release^1", "release<sup>1</sup>"),
        ] {
            assert_eq!(printed(text).into_string(), html);
        }
    }

    #[test]
    fn signs_of_names_and_signs_alone_remain() {
        for text in ["max_value", "snake_case_name", "A ^ B", "a_", "^", "_x", "x_(1", "FILE_NAME_X"] {
            assert_eq!(printed(text).into_string(), text);
        }
    }
}
