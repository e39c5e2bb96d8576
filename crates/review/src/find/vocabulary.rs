//! Words around citations and quotations, in English, French and German.

/// Words by which a sentence says that a document says something.
pub(super) const REPORTING: &str = "say|says|said|state|states|stated|read|reads|require|requires|required|specify|specifies|\
     specified|prescribe|prescribes|demand|demands|define|defines|defined|recommend|recommends|recommended|permit|permits|\
     allow|allows|provide|provides|stipulate|stipulates|quote|quotes|quoted|according|wording|words|text|asks|ask|\
     prohibits|forbids|rules|declares|mandates|lays|sets|puts|writes|written|taken|\
     sagt|besagt|lautet|heißt|fordert|verlangt|schreibt|bestimmt|legt|definiert|empfiehlt|erlaubt|gestattet|nennt|\
     zitiert|stammt|entnommen|wortlaut|formuliert|verbietet|nach|gemäß|laut|zufolge|steht|festgelegt|gefordert|regelt|\
     dit|énonce|exige|prescrit|stipule|indique|précise|dispose|définit|recommande|permet|prévoit|impose|interdit|selon|\
     conformément|termes|texte|écrit|demande|lit|tiré|tirée|tirés|tirées|extrait|extraite|cité|citée";

/// Words before a citation that say that something is from it: `according to NSB 4210`.
pub(super) const ACCORDING: &str = "according|under|per|following|as|quote|quotes|quoting|cite|citing|\
     laut|nach|gemäß|zufolge|entsprechend|wie|zitiere|zitieren|selon|suivant|après|conformément|comme|cite|citons|citer";

/// Words right before the citation that something is from.
pub(super) const SOURCE: [&str; 2] = ["from", "aus"];

/// Words that may be between a quotation and the citation behind it: `“…” (see NSB 4210, 4.2)`.
pub(super) const ATTRIBUTING: &str = "see|in|from|of|per|by|according|to|as|cf|source|quoted|stated|specified|required|\
     the|standard|siehe|aus|nach|gemäß|laut|vgl|quelle|so|der|norm|in|zitiert|\
     voir|selon|de|dans|d|après|la|norme|source|extrait|l";

/// Words for parts that standards rarely use of themselves, or that most documents use of themselves: alone
/// they are parts of a cited standard only in its own sentence.
pub(super) const COMMON_PARTS: &str = "section|sections|subsection|subsections|sub-section|sub-sections|sec|sect|chapter|chapters|\
     ch|chap|chapitre|chapitres|kapitel|kapiteln|kapitels|kapitelns|kap|\
     artikel|art|annex|annexes|annexe|appendix|appendices|appendice|anhang|anhänge|anlage|point|points|punkt|punkte|punkten|pkt|no|nr|n|nummer|requirement|term|terms|terme|begriff|\
     entry|definition|definitions|définition|item|items|note|notes|example|examples|beispiel|exemple|step|row|rows|line|lines|\
     column|columns|absatz|abs|satz|zeile|spalte|ligne|colonne|alinéa|anmerkung|remarque|footnote|fußnote|letter|lettre";

/// Words by which authors speak of themselves.
pub(super) const FIRST_PERSON: &str = "we|us|our|ours|my|me|own|wir|uns|unser|unsere|unserem|unseren|unserer|unseres|mein|meine|\
     eigene|eigenen|nous|notre|nos|mon|ma|mes|propre|propres";

/// Words that send a reader elsewhere: alone with a place they rather mean the text that is read.
pub(super) const SENDING: [&str; 9] = ["see", "siehe", "voir", "cf", "vgl", "also", "auch", "aussi", "s"];

/// Whether one of the words, which `|` separates, is a word of a text.
pub(super) fn has_word(text: &str, words: &str) -> bool {
    let lower = text.to_lowercase();
    let mut written = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    written.any(|word| words.split('|').any(|one| one == word))
}

/// Whether each word of a text is one of the words, which `|` separates.
pub(super) fn has_only_words(text: &str, words: &str) -> bool {
    let lower = text.to_lowercase();
    let mut written = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    written.all(|word| words.split('|').any(|one| one == word))
}

/// The last word of a text in lower case, without its full stop.
pub(super) fn last_word(text: &str) -> String {
    let trimmed = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let start =
        trimmed.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| trimmed.ceil_char_boundary(at + 1));
    trimmed[start..].to_lowercase()
}

/// The first word of a text in lower case.
pub(super) fn first_word(text: &str) -> String {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(text.len());
    text[..end].to_lowercase()
}
