//! TeX: the formula itself, without the document that converters add around it.

/// Marks around a formula that delimit it.
const DELIMITERS: &[(&str, &str)] = &[
    ("$$", "$$"),
    ("$", "$"),
    ("\\[", "\\]"),
    ("\\(", "\\)"),
    ("\\begin{math}", "\\end{math}"),
    ("\\begin{displaymath}", "\\end{displaymath}"),
    ("\\begin{equation}", "\\end{equation}"),
    ("\\begin{equation*}", "\\end{equation*}"),
];

/// Commands of a preamble, each with its arguments in brackets.
const PREAMBLE: &str = "documentclass documentstyle usepackage RequirePackage setlength addtolength pagestyle thispagestyle \
    newcommand renewcommand providecommand DeclareMathOperator DeclareMathSizes DeclareUnicodeCharacter input makeatletter \
    makeatother";

/// The formula in a TeX source.
pub(super) fn formula(source: &str) -> &str {
    let source = source.split_once("\\begin{document}").map_or(source, |(_, body)| body);
    let source = source.split_once("\\end{document}").map_or(source, |(body, _)| body);
    let mut formula = without_preamble(source.trim());
    while let Some(inner) = delimited(formula) {
        formula = inner.trim();
    }
    formula
}

/// What one pair of delimiters holds; `None` where several pairs are in it: `$a$ and $b$`.
fn delimited(formula: &str) -> Option<&str> {
    for (open, close) in DELIMITERS {
        if let Some(inner) = formula.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
            && !inner.contains(open)
            && !inner.contains(close)
        {
            return Some(inner);
        }
    }
    None
}

/// A source without the commands of a preamble at its start.
fn without_preamble(mut source: &str) -> &str {
    while let Some(command) = source.strip_prefix('\\') {
        let name = &command[..command.find(|c: char| !c.is_alphabetic()).unwrap_or(command.len())];
        if !PREAMBLE.split_whitespace().any(|listed| listed == name) {
            break;
        }
        let rest = &command[name.len()..];
        source = without_arguments(rest.strip_prefix('*').unwrap_or(rest));
    }
    source
}

/// A source without the arguments at its start.
fn without_arguments(mut source: &str) -> &str {
    loop {
        source = source.trim_start();
        match end_of_argument(source) {
            Some(end) => source = &source[end..],
            None => return source,
        }
    }
}

/// The end of the argument that a source begins with, in brackets; `None` where it is not closed.
fn end_of_argument(source: &str) -> Option<usize> {
    let close = match source.chars().next()? {
        '{' => '}',
        '[' => ']',
        _ => return None,
    };
    // Braces within the argument; its own braces are counted too.
    let mut depth = 0_usize;
    for (at, c) in source.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if at > 0 && c == close && depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::formula;

    #[test]
    fn preambles_and_delimiters_are_no_formula() {
        for (source, expected) in [
            ("x^2", "x^2"),
            ("$x^2$", "x^2"),
            ("$$ \\frac{a}{b} $$", "\\frac{a}{b}"),
            ("$a$ and $b$", "$a$ and $b$"),
            ("\\[a\\]", "a"),
            ("\\begin{equation*}a = b\\end{equation*}", "a = b"),
            (
                "\\documentclass[10pt]{article}\\usepackage{amssymb}\\begin{document}\\(v\\)\\end{document}",
                "v",
            ),
            ("\\documentclass{x} \\setlength{\\hoffset}{-1in} \\newcommand*{\\q}[1]{{#1}} $k$", "k"),
            ("\\inputs{a}", "\\inputs{a}"),
            ("\\usepackage{open", "{open"),
        ] {
            assert_eq!(formula(source), expected, "{source}");
        }
    }
}
