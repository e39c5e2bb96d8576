//! Lines of a source: in which section they are, and what became of them in its text.

use std::collections::HashSet;

use crate::ingests::IngestedSection;

/// Most characters of a text that are shown next to a line.
const LONGEST: usize = 600;

/// What a line of the source became.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TextOfLine<'a> {
    pub(crate) section_id: &'a str,
    pub(crate) section_name: &'a str,
    /// The paragraph that has most words of the line; `None` where no paragraph has one.
    pub(crate) paragraph: Option<String>,
}

impl<'a> TextOfLine<'a> {
    /// Looks for a line, from 1; `None` where the line is in no section.
    pub(crate) fn find(source: &str, line: u32, sections: &'a [IngestedSection]) -> Option<Self> {
        let start = start_of_line(source, line)?;
        let text = source[start..].lines().next().unwrap_or_default();
        // The line may begin the section that it is in.
        let ids = open_ids(&source[..start + text.len()]);
        let section = ids.iter().rev().find_map(|id| {
            let has_id =
                |section: &&IngestedSection| section.id == *id || section.source_id.as_deref() == Some(*id);
            sections.iter().find(has_id)
        })?;
        let paragraph = paragraph_with(&section.text, &words(text));
        Some(Self { section_id: &section.id, section_name: &section.name, paragraph })
    }
}

/// The byte at which a line begins, counted from 1.
fn start_of_line(source: &str, line: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += source[start..].find('\n')? + 1;
    }
    Some(start)
}

/// The ids of the elements that are open at the end of a text, the outermost first.
fn open_ids(source: &str) -> Vec<&str> {
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let end = end_of_markup(rest);
        let markup = &rest[..end];
        if markup.starts_with("</") {
            open.pop();
        } else if !markup.starts_with("<!") && !markup.starts_with("<?") && !markup.ends_with("/>") {
            open.push(id_of(markup));
        }
        rest = &rest[end..];
    }
    open.into_iter().flatten().collect()
}

/// The length of a comment, a section of characters, an instruction or a tag at the start of a text.
fn end_of_markup(text: &str) -> usize {
    for (begin, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
        if text.starts_with(begin) {
            return text.find(end).map_or(text.len(), |at| at + end.len());
        }
    }
    let mut quote: Option<char> = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '>' => return at + 1,
            None if c == '"' || c == '\'' => quote = Some(c),
            None => {}
        }
    }
    text.len()
}

fn id_of(tag: &str) -> Option<&str> {
    let (_, value) = tag.split_once(" id=")?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next()
}

/// The words of a line without its markup.
fn words(line: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut is_tag = false;
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => {
                is_tag = false;
                text.push(' ');
            }
            _ if is_tag => {}
            _ => text.push(c),
        }
    }
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.chars().count() > 1 {
            words.insert(word.to_lowercase());
        }
    }
    words
}

/// The paragraph of a text that has most of some words, cut where it is long.
fn paragraph_with(text: &str, wanted: &HashSet<String>) -> Option<String> {
    let mut best: Option<(usize, &str)> = None;
    for paragraph in text.split('\n').filter(|paragraph| !paragraph.trim().is_empty()) {
        let shared = words(paragraph).intersection(wanted).count();
        if shared > best.map_or(0, |(most, _)| most) {
            best = Some((shared, paragraph));
        }
    }
    let (_, paragraph) = best?;
    match paragraph.char_indices().nth(LONGEST) {
        Some((end, _)) => Some(format!("{}…", &paragraph[..end])),
        None => Some(paragraph.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "<body>\n<!-- <sec id=\"none\"> -->\n<sec id=\"s1\"><title>Lids</title>\n\
        <p id='p1' alt=\"a>b\">The lid shall close.</p>\n</sec>\n<sec id=\"s2\">\n<p>The box opens.</p>\n</sec>\n</body>\n";

    fn sections() -> Vec<IngestedSection> {
        let section = |id: &str, source_id: Option<&str>, text: &str| IngestedSection {
            id: id.to_owned(),
            source_id: source_id.map(str::to_owned),
            name: format!("name of {id}"),
            text: text.to_owned(),
        };
        vec![
            section("s1", None, "Lids\n\nThe lid shall close."),
            section("sec_2", Some("s2"), "The box opens."),
        ]
    }

    #[test]
    fn a_line_is_shown_with_its_section_and_the_paragraph_that_it_became() {
        let sections = sections();
        let found = |line| TextOfLine::find(SOURCE, line, &sections);
        let fourth = found(4).unwrap();
        assert_eq!((fourth.section_id, fourth.paragraph.as_deref()), ("s1", Some("The lid shall close.")));
        let third = found(3).unwrap();
        assert_eq!((third.section_id, third.paragraph.as_deref()), ("s1", Some("Lids")));
        let seventh = found(7).unwrap();
        assert_eq!((seventh.section_id, seventh.paragraph.as_deref()), ("sec_2", Some("The box opens.")));
        assert_eq!(found(6).unwrap().paragraph, None);
        for line in [1, 2, 9, 99] {
            assert_eq!(found(line), None, "{line}");
        }
    }

    #[test]
    fn a_long_paragraph_is_cut() {
        let text = format!("lid {}", "ä".repeat(LONGEST));
        let cut = paragraph_with(&text, &words("a lid")).unwrap();
        assert_eq!(cut.chars().count(), LONGEST + 1);
    }
}
