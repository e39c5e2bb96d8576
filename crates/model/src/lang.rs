//! Language tags of BCP 47.

use std::fmt;
use std::str::FromStr;

/// A language tag of BCP 47 (RFC 5646) in lower case: `en`, `fr`, `zh-hant`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Lang(Box<str>);

impl Lang {
    /// English, the fallback where a source names no language at all.
    pub fn en() -> Self {
        Self("en".into())
    }

    /// A language that is not known (`und` of ISO 639-2).
    pub fn undetermined() -> Self {
        Self("und".into())
    }

    /// The tag in lower case: `zh-hant`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads a tag as sources write it. A code of three letters (ISO 639-2, of either set) becomes the one of
    /// two letters (ISO 639-1) if the language has one, as RFC 5646, section 2.2.1, requires: `eng` and
    /// `ger-AT` are `en` and `de-at`. A code that was withdrawn becomes the one that took its place: `iw` is
    /// `he`.
    ///
    /// # Errors
    /// Those of parsing a tag.
    pub fn of_source(text: &str) -> Result<Self, ParseLangError> {
        let tag: Self = text.parse()?;
        let (primary, rest) = tag.0.split_at(tag.primary().len());
        match preferred(primary) {
            Some(preferred) => Ok(Self(format!("{preferred}{rest}").into())),
            None => Ok(tag),
        }
    }

    /// The primary language subtag: `zh` of `zh-hant`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }

    /// True for a language that is written from right to left: by the script that the tag names, else by that
    /// in which the language is usually written (Unicode CLDR, likely subtags).
    pub fn is_right_to_left(&self) -> bool {
        let script = self.0.split('-').skip(1).find(|subtag| subtag.len() == 4);
        match script {
            Some(script) => RIGHT_TO_LEFT_SCRIPTS.contains(&script),
            None => RIGHT_TO_LEFT_LANGUAGES.contains(&self.primary()),
        }
    }
}

/// The code to use in place of one of three letters or one that was withdrawn.
fn preferred(code: &str) -> Option<&'static str> {
    if code.len() == 3 {
        for pair in CODES.split_ascii_whitespace() {
            if let Some(short) = pair.strip_prefix(code) {
                return Some(short);
            }
        }
    }
    let (_, current) = WITHDRAWN.iter().find(|(withdrawn, _)| *withdrawn == code)?;
    Some(current)
}

/// Codes of ISO 639-2, terminological and bibliographic, each with that of ISO 639-1 behind it.
const CODES: &str = "\
    aaraa abkab afraf akaak albsq amham araar argan armhy asmas avaav aveae aymay azeaz bakba bambm \
    baqeu belbe benbn bihbh bisbi bodbo bosbs brebr bulbg burmy catca cescs chach chece chizh chucu \
    chvcv corkw cosco crecr cymcy czecs danda deude divdv dutnl dzodz ellel engen epoeo estet euseu \
    eweee faofo fasfa fijfj finfi frafr frefr fryfy fulff geoka gerde glagd glega glggl glvgv greel \
    grngn gujgu hatht hauha hebhe herhz hinhi hmoho hrvhr hunhu hyehy iboig iceis idoio iiiii ikuiu \
    ileie inaia indid ipkik islis itait javjv jpnja kalkl kankn kasks katka kaukr kazkk khmkm kikki \
    kinrw kirky komkv konkg korko kuakj kurku laolo latla lavlv limli linln litlt ltzlb lublu luglg \
    macmk mahmh malml maomi marmr mayms mkdmk mlgmg mltmt monmn mrimi msams myamy nauna navnv nblnr \
    ndend ndong nepne nldnl nnonn nobnb norno nyany ocioc ojioj orior ormom ossos panpa perfa plipi \
    polpl porpt pusps quequ rohrm ronro rumro runrn rusru sagsg sansa sinsi slksk slosk slvsl smese \
    smosm snasn sndsd somso sotst spaes sqisq srdsc srpsr sswss sunsu swasw swesv tahty tamta tattt \
    telte tgktg tgltl thath tibbo tirti tonto tsntn tsots tuktk turtr twitw uigug ukruk urdur uzbuz \
    venve vievi volvo welcy wlnwa wolwo xhoxh yidyi yoryo zhaza zhozh zulzu";

/// Codes that were withdrawn, with those that took their place: the `Preferred-Value` of IANA's registry of
/// language subtags, and for three letters the code table of ISO 639-2.
const WITHDRAWN: [(&str, &str); 8] = [
    ("iw", "he"),
    ("in", "id"),
    ("ji", "yi"),
    ("jw", "jv"),
    ("mo", "ro"),
    ("mol", "ro"),
    ("scc", "sr"),
    ("scr", "hr"),
];

const RIGHT_TO_LEFT_SCRIPTS: [&str; 9] =
    ["adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "syrc", "thaa"];

const RIGHT_TO_LEFT_LANGUAGES: [&str; 17] = [
    "ar", "ckb", "dv", "fa", "he", "ks", "lrc", "mzn", "nqo", "pnb", "ps", "sd", "skr", "syr", "ug", "ur",
    "yi",
];

/// Error of parsing a [`Lang`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a valid language tag: expected two or three letters (ISO 639), then subtags such as `-hant`"
)]
pub struct ParseLangError(String);

impl From<Lang> for String {
    fn from(lang: Lang) -> Self {
        lang.0.into()
    }
}

impl TryFrom<String> for Lang {
    type Error = ParseLangError;

    fn try_from(text: String) -> Result<Self, ParseLangError> {
        text.parse()
    }
}

impl FromStr for Lang {
    type Err = ParseLangError;

    /// Reads a tag in any case, with `-` or `_` between subtags.
    fn from_str(text: &str) -> Result<Self, ParseLangError> {
        let tag = text.trim().to_ascii_lowercase().replace('_', "-");
        let mut subtags = tag.split('-');
        let primary = subtags.next().unwrap_or_default();
        let primary_fits =
            (2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_lowercase());
        if primary_fits && subtags.all(is_subtag) {
            Ok(Self(tag.into()))
        } else {
            Err(ParseLangError(text.to_owned()))
        }
    }
}

/// True for a text that can be a subtag after the primary one (RFC 5646, section 2.1).
fn is_subtag(text: &str) -> bool {
    (1..=8).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_three_letters_in_sources_are_those_of_two_where_there_is_one() {
        let read = |text: &str| Lang::of_source(text).unwrap().to_string();
        for (text, tag) in [
            ("eng", "en"),
            ("GER", "de"),
            ("deu-AT", "de-at"),
            ("fre", "fr"),
            ("zho_Hant", "zh-hant"),
            ("chi", "zh"),
            ("en", "en"),
            ("grc", "grc"),
            ("mul", "mul"),
            ("iw", "he"),
            ("in-ID", "id-id"),
            ("ji", "yi"),
            ("mol", "ro"),
        ] {
            assert_eq!(read(text), tag);
        }
        assert!(
            CODES.split_ascii_whitespace().all(|pair| pair.len() == 5) && Lang::of_source("english").is_err()
        );
    }

    #[test]
    fn the_direction_of_a_language_is_that_of_its_script() {
        for (tag, right_to_left) in [
            ("ar", true),
            ("he-il", true),
            ("ur", true),
            ("fa", true),
            ("az-arab", true),
            ("pa-Arab-PK", true),
            ("en", false),
            ("ks-deva", false),
            ("az", false),
        ] {
            assert_eq!(tag.parse::<Lang>().unwrap().is_right_to_left(), right_to_left, "{tag}");
        }
    }

    #[test]
    fn tags_are_read_in_any_case_and_refused_when_they_are_none() {
        assert_eq!("zh_Hant".parse::<Lang>().map(|l| l.to_string()), Ok("zh-hant".to_owned()));
        for wrong in ["", "e", "english", "en-", "e1", "en-toolongsubtag"] {
            assert!(wrong.parse::<Lang>().is_err(), "{wrong}");
        }
    }
}
