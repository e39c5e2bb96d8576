//! Publishers of standards: their names and how they number their documents. One table for a document's own
//! designation and for every citation of it, so that both come to the same URN.

use std::sync::LazyLock;

use foldhash::HashMap;

use super::segment;

/// A body that publishes standards.
#[derive(Debug)]
pub struct Publisher {
    /// Name of the body in a URN: `itu-t`.
    pub id: &'static str,
    /// Namespace of its URNs, where that is not the first word of `id`.
    namespace: Option<&'static str>,
    /// Other names, as [`segment`] writes them: in other languages, former ones, full ones.
    names: &'static [&'static str],
    /// Territory of the body, which distinguishes the layers of an adoption.
    pub reach: Reach,
    /// The form of its numbers.
    pub(super) numbers: Numbers,
    /// Kinds of documents that are part of a name (see [`kind`]); all others share one series of numbers.
    pub(super) kinds: &'static [&'static str],
    /// Set where its documents are named by it alone, even if other bodies are named with it.
    pub(super) alone: bool,
    /// Prefixes of the numbers of its update series, for which several states of one edition are stored
    /// together.
    updates: &'static [&'static str],
    /// Letters of its series by the kind of document that metadata may say in their place.
    pub(super) letters: &'static [(&'static str, &'static str)],
    /// The kind of a bare number, if nearly all documents with such numbers have it.
    pub(super) usual_kind: Option<&'static str>,
    /// The letter before the number of a revision, which is not part of the name: `800-53r5`.
    pub(super) revision: Option<char>,
    /// Bodies that are redundant before it: `cen-en` is `en`.
    pub(super) after: &'static [&'static str],
    /// The body that a number and kind belong to, where this name is used for another body.
    pub(super) meant: fn(&str, Option<&str>) -> Option<&'static str>,
    /// Set where its numbers have the form of ISO and IEC: digits first, and the part after a hyphen.
    pub(super) splits_parts: bool,
    /// Set where its documents follow the ISO/IEC Directives, Part 2, or the CEN/CENELEC Internal
    /// Regulations, Part 3. What a national body adopts carries the name of one of these too; what it drafts
    /// alone follows rules of its own.
    pub(super) follows_directives: bool,
}

/// Territory of the standards of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The whole world: ISO, IEC.
    International,
    /// A region, such as Europe.
    Regional,
    /// One country, or one industry.
    National,
}

/// The form of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Digits, then parts: `9999-1`.
    Parts,
    /// A letter, perhaps written apart, then digits and parts: `R 60-1`, `S-44`, `X50-200`. The URN has
    /// `r-60`.
    Series,
    /// A letter that is not written apart in the URN: `D1234`, `C37.118`, `J 1939`.
    Glued,
    /// Hyphens do not separate parts: `10-100r3`, `800-53`, `REC-xml`.
    Whole,
    /// A series of ITU-R, and after a hyphen the edition: `BT.500-14`.
    Revised,
    /// Groups of three digits: `102 822-3-1`.
    Grouped,
    /// Short names of documents (BIPM) and practical guides: `SI Brochure`, `CCL-GD-MeP-1`.
    Named,
    /// Numbered within each year: Resolution 7 of 1948 is `1948-7`.
    Yearly,
}

/// Kinds in the names of documents of ISO, IEC and their adopters (ISO/IEC Directives, Part 1; RFC 5141,
/// 2.4).
pub(super) const COMMON: &[&str] = &[
    "cwa",
    "data",
    "dir",
    "guide",
    "isp",
    "iwa",
    "pas",
    "r",
    "spec",
    "tr",
    "ts",
    "tta",
    "resolution",
    "decision",
];

const fn body(id: &'static str, names: &'static [&'static str], reach: Reach, numbers: Numbers) -> Publisher {
    Publisher {
        id,
        namespace: None,
        names,
        reach,
        numbers,
        kinds: COMMON,
        alone: false,
        updates: &[],
        letters: &[],
        usual_kind: None,
        revision: None,
        after: &[],
        meant: |_, _| None,
        splits_parts: false,
        follows_directives: false,
    }
}

/// A body that numbers its documents like ISO and IEC.
const fn iso_like(id: &'static str, names: &'static [&'static str], reach: Reach) -> Publisher {
    Publisher { splits_parts: true, ..body(id, names, reach, Parts) }
}

/// ISO, IEC, CEN or CENELEC, or a committee of theirs with a series of its own.
const fn drafted(id: &'static str, names: &'static [&'static str], reach: Reach) -> Publisher {
    Publisher { follows_directives: true, ..iso_like(id, names, reach) }
}

/// A kind of document of CEN or CENELEC that names itself like a body.
const fn european(id: &'static str) -> Publisher {
    Publisher { after: &["cen", "cenelec"], ..drafted(id, &[], Regional) }
}

/// The sector of ITU of a number: series of ITU-R have letters of their own, those of one letter are more
/// often of ITU-T.
fn sector(number: &str, _: Option<&str>) -> Option<&'static str> {
    const ITU_R: &[&str] = &["bo", "br", "bs", "bt", "ra", "rs", "sa", "sf", "sm", "sng", "tf"];
    let letters = &number[..number.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(number.len())];
    match letters.len() {
        _ if ITU_R.contains(&letters) => Some("itu-r"),
        1 | 2 => Some("itu-t"),
        _ => None,
    }
}

/// BIPM publishes the guides of JCGM, numbered from 100 to 299, and has no series of bare numbers itself.
fn guide(number: &str, kind: Option<&str>) -> Option<&'static str> {
    let numbered = number.parse::<u16>().is_ok_and(|number| (100..300).contains(&number));
    (numbered && matches!(kind, None | Some("guide"))).then_some("jcgm")
}

/// A committee of the Metre Convention, whose resolutions and recommendations BIPM publishes by year.
const fn metre(id: &'static str, names: &'static [&'static str]) -> Publisher {
    Publisher {
        namespace: Some("bipm"),
        kinds: &["resolution", "recommendation", "decision", "declaration"],
        ..body(id, names, International, Yearly)
    }
}

use Numbers::{Glued, Grouped, Named, Parts, Revised, Series, Whole, Yearly};
use Reach::{International, National, Regional};

/// The publishers that are known by name. Sources: the body's own rules for designations where they are
/// published (named in the line), else its catalogue.
#[rustfmt::skip]
pub(super) const PUBLISHERS: &[Publisher] = &[
    // ISO/IEC Directives, Part 1, Annex SC, and IEC's URI model of 2020; RFC 5141. `CEI` is IEC in French.
    drafted("iso", &["international-organization-for-standardization"], International),
    drafted("iec", &["cei", "international-electrotechnical-commission"], International),
    // IEC numbers CISPR's documents as a series of their own.
    Publisher { namespace: Some("iec"), alone: true, ..drafted("cispr", &["international-special-committee-on-radio-interference"], International) },
    body("idf", &["international-dairy-federation"], International, Parts),
    body("cie", &["international-commission-on-illumination"], International, Glued),
    body("hl7", &["health-level-seven-international"], International, Parts),
    // ITU-T A.11 and A.12 (letter and number), ITU-R Resolution 1 (`BT.500-14` is revision 14), both also in
    // Recommendation A.5.
    Publisher { kinds: ITU, ..body("itu-t", &["uit-t", "ccitt", "itu-telecommunication-standardization-sector"], International, Whole) },
    Publisher { kinds: ITU, ..body("itu-r", &["uit-r", "ccir", "itu-radiocommunication-sector"], International, Revised) },
    Publisher { kinds: ITU, ..body("itu-d", &["uit-d"], International, Whole) },
    Publisher { kinds: ITU, meant: sector, ..body("itu", &["uit", "international-telecommunication-union"], International, Whole) },
    // OIML B 6-1: R, D, V, G, B, E and S are series with numbers of their own.
    Publisher { kinds: &[], letters: &[("recommendation", "r"), ("document", "d"), ("vocabulary", "v"), ("guide", "g"), ("basic-publication", "b"), ("expert-report", "e")],
        ..body("oiml", &["international-organization-of-legal-metrology", "organisation-internationale-de-metrologie-legale"], International, Series) },
    // IHO publication M-3 and the catalogue of IHO publications: B, C, M, P and S are series.
    Publisher { kinds: &["resolution"], ..body("iho", &["ohi", "international-hydrographic-organization", "organisation-hydrographique-internationale"], International, Series) },
    // JCGM's list of guides. BIPM publishes them, and some tools name BIPM as their publisher.
    Publisher { kinds: &[], alone: true, ..body("jcgm", &["joint-committee-for-guides-in-metrology"], International, Parts) },
    // BIPM's list of publications: brochure, mises en pratique (SI MEP), practical guides (-GD-). All of them
    // are updated between editions.
    Publisher { kinds: &["report", "monograph", "resolution"], meant: guide, updates: &["si-brochure", "si-mep", "ccem-gd", "ccl-gd", "ccm-gd", "ccpr-gd", "ccqm-gd", "ccri-gd", "cct-gd", "cctf-gd", "ccu-gd"],
        ..body("bipm", &["bureau-international-des-poids-et-mesures", "international-bureau-of-weights-and-measures"], International, Named) },
    // The outcomes of the meetings, on BIPM's pages: Resolution 1 of 2018.
    metre("cgpm", &["general-conference-on-weights-and-measures", "conference-generale-des-poids-et-mesures"]),
    metre("cipm", &["international-committee-for-weights-and-measures", "comite-international-des-poids-et-mesures"]),
    metre("ccauv", &[]), metre("ccem", &["cce"]), metre("ccl", &["ccdm"]), metre("ccm", &[]), metre("ccpr", &[]), metre("ccqm", &[]),
    metre("ccri", &["ccemri"]), metre("cct", &[]), metre("cctf", &["ccds"]), metre("ccu", &[]),
    // OGC policy directive 05-020: the year of two digits, the number, the revision.
    Publisher { kinds: &[], ..body("ogc", &["open-geospatial-consortium", "open-gis-consortium"], International, Whole) },
    // RFC 2648 (urn:ietf), RFC 7841 (streams and series).
    Publisher { kinds: &["rfc", "bcp", "std", "fyi", "id"], usual_kind: Some("rfc"), alone: true, ..body("ietf", &["internet-engineering-task-force", "iab", "irtf", "rfc-editor"], International, Whole) },
    // W3C Process, 6.2: maturity level, short name and date in the address of a technical report.
    Publisher { kinds: &[], ..body("w3c", &["world-wide-web-consortium"], International, Whole) },
    Publisher { kinds: &[], ..body("oasis", &["oasis-open", "organization-for-the-advancement-of-structured-information-standards"], International, Whole) },
    Publisher { kinds: &["tr"], ..body("ecma", &["ecma-international"], International, Parts) },
    // UN/CEFACT's list of recommendations; ST/LIB/15 (symbols of documents).
    Publisher { kinds: &["recommendation", "regulation", "resolution", "decision"], alone: true,
        ..body("un", &["unece", "ece", "un-ece", "cefact", "un-cefact", "uncefact", "onu", "united-nations", "nations-unies",
            "united-nations-economic-commission-for-europe", "united-nations-centre-for-trade-facilitation-and-electronic-business"], International, Whole) },
    Publisher { kinds: &[], ..body("m3aawg", &["maawg", "messaging-malware-and-mobile-anti-abuse-working-group"], International, Parts) },
    // CalConnect directive CC/DIR 10001: the type before the number, one of them for a published standard.
    Publisher { kinds: &["dir", "r", "adm", "adv", "s", "g"], ..body("cc", &["calconnect", "the-calendaring-and-scheduling-consortium"], International, Parts) },
    // IEEE SA Standards Style Manual, 4: types share one series of numbers.
    Publisher { kinds: &[], ..body("ieee", &["ieee-sa", "institute-of-electrical-and-electronics-engineers", "the-institute-of-electrical-and-electronics-engineers"], International, Glued) },
    // CEN/CENELEC Internal Regulations, Part 2: EN, TS, TR and CWA; HD is CENELEC's.
    european("en"),
    drafted("cen", &["european-committee-for-standardization"], Regional),
    drafted("cenelec", &["clc", "european-committee-for-electrotechnical-standardization"], Regional),
    european("hd"),
    european("env"),
    // ETSI drafting rules: the type is part of the name, the number has six digits in two groups.
    Publisher { kinds: &["ts", "tr", "es", "en", "eg", "sr", "gs", "gr", "ets", "etr", "tbr"],
        ..body("etsi", &["european-telecommunications-standards-institute"], Regional, Grouped) },
    // National bodies: DIN 820, BS 0, AFNOR, ÖNORM A 1080, SN, NEN, UNE, UNI, SS, NS, DS, SFS, PN, ČSN, GOST
    // 1.5, GB/T 1.1, JIS Z 8301.
    iso_like("din", &["deutsches-institut-fur-normung"], National),
    body("vde", &[], National, Parts), body("vdi", &[], National, Parts), body("dke", &[], National, Parts), body("dguv", &[], National, Parts),
    body("trbs", &[], National, Parts), body("trgs", &[], National, Parts), body("tra", &[], National, Parts), body("asr", &[], National, Series),
    Publisher { splits_parts: true, ..body("bs", &["bsi", "british-standards-institution", "the-british-standards-institution"], National, Series) },
    body("pd", &[], National, Parts),
    Publisher { splits_parts: true, ..body("nf", &["afnor", "association-francaise-de-normalisation"], National, Series) },
    Publisher { splits_parts: true, ..body("onorm", &["oenorm", "asi", "austrian-standards-institute"], National, Series) },
    iso_like("sn", &["snv"], National), iso_like("nen", &[], National), iso_like("nbn", &[], National),
    iso_like("une", &["aenor"], National), iso_like("uni", &[], National), iso_like("ss", &["sis"], National), iso_like("ns", &[], National),
    iso_like("ds", &[], National), iso_like("sfs", &[], National), iso_like("ist", &[], National), 
    Publisher { splits_parts: true, ..body("pn", &["pkn"], National, Series) },
    iso_like("csn", &["unmz"], National), iso_like("stn", &[], National), iso_like("sist", &[], National), iso_like("evs", &[], National),
    iso_like("lvs", &[], National), iso_like("lst", &[], National), iso_like("msz", &[], National), iso_like("bds", &[], National),
    iso_like("elot", &[], National), iso_like("ilnas", &[], National), iso_like("hrn", &[], National),
    body("gost", &["gost-r"], National, Series), body("gb", &[], National, Parts), body("gb-t", &[], National, Parts), body("jis", &["jisc", "jsa"], National, Series),
    body("ks", &[], National, Series), body("cns", &[], National, Parts), body("as", &[], National, Parts), body("nzs", &[], National, Parts),
    body("csa", &[], National, Series), body("abnt", &[], National, Parts), body("nbr", &[], National, Parts), body("sans", &[], National, Parts),
    body("t", &[], National, Parts),
    // ANSI's members: ASTM (letter, number, year of two digits), ASME, SAE, API, NFPA, UL and others.
    body("ansi", &["american-national-standards-institute"], National, Glued), body("niso", &[], National, Glued),
    Publisher { kinds: &[], ..body("astm", &["astm-international"], National, Glued) },
    Publisher { kinds: &[], ..body("asme", &[], National, Glued) },
    body("sae", &[], National, Glued), body("ashrae", &[], National, Parts), body("api", &[], National, Glued), body("nfpa", &[], National, Parts),
    body("ul", &[], National, Parts), body("aws", &[], National, Glued), body("awwa", &[], National, Glued), body("tia", &[], National, Parts),
    body("rtca", &[], National, Series), body("smpte", &[], International, Parts), body("aes", &[], International, Parts),
    body("icao", &[], International, Parts), body("imo", &[], International, Parts), body("iala", &[], International, Series),
    body("3gpp", &[], International, Parts), body("ccsds", &[], International, Whole),
    // NIST Technical Series, Publication Identifier Syntax, 2022: the series is part of the name.
    Publisher { kinds: &["sp", "fips", "ir", "tn", "hb"], revision: Some('r'), ..body("nist", &["nbs", "national-institute-of-standards-and-technology"], National, Whole) },
];

const ITU: &[&str] = &["resolution", "report", "handbook", "question", "opinion", "decision"];

/// Words for kinds of documents, as [`segment`] writes them, and their code in URNs. The first word is the
/// code itself.
#[rustfmt::skip]
const KINDS: &[&[&str]] = &[
    &["ts", "technical-specification"],
    &["tr", "technical-report"],
    &["pas", "publicly-available-specification"],
    &["guide"],
    &["iwa", "international-workshop-agreement"],
    &["isp", "international-standardized-profile"],
    &["cwa", "workshop-agreement"],
    &["r"], &["tta"], &["data"], &["spec"], &["s"], &["g"], &["adm"], &["adv"],
    &["dir", "directive", "directives"],
    &["rfc"], &["bcp"], &["std"], &["fyi"], &["id", "internet-draft"],
    &["resolution", "res"],
    &["recommendation", "rec", "recommandation"],
    &["decision", "decn"],
    &["declaration", "decl"],
    &["regulation", "reglement"],
    &["report", "rapport"],
    &["monograph", "monographie"],
    &["handbook"], &["question"], &["opinion"],
    &["en"], &["es"], &["eg"], &["sr"], &["gs"], &["gr"], &["ets"], &["etr"], &["tbr"],
    &["sp"], &["fips"], &["ir"], &["tn"], &["hb"],
];

/// Kinds that are named without their body, and the body.
pub(super) const KINDS_ALONE: &[(&str, &str)] = &[
    ("cwa", "cen"),
    ("iwa", "iso"),
    ("rfc", "ietf"),
    ("bcp", "ietf"),
    ("fips", "nist"),
    ("fips-pub", "nist"),
    ("nistir", "nist"),
];

/// Words in capitals that come before numbers but are not publishers.
#[rustfmt::skip]
pub(super) const NO_PUBLISHERS: &[&str] = &[
    "arxiv", "ascii", "crc", "doi", "fax", "gps", "hdf", "html", "http", "iban", "icd", "ip", "isbn", "issn", "iupac", "iupap",
    "json", "oecd", "orcid", "pdf", "pmid", "ral", "sha", "sql", "tel", "tls", "url", "urn", "utc", "utf", "vol", "who", "xml",
];

impl Publisher {
    /// Namespace of its URNs: `itu` of `itu-t`.
    pub(super) fn namespace(&self) -> &'static str {
        self.namespace.unwrap_or_else(|| self.id.split('-').next().unwrap_or(self.id))
    }

    /// The letter of the series that a kind of document is.
    pub(super) fn letter_of(&self, kind: &str) -> Option<&'static str> {
        let (_, letter) = self.letters.iter().find(|(of, _)| *of == kind)?;
        Some(letter)
    }

    /// True where several states of an edition with this number are stored together.
    pub(super) fn updates(&self, number: &str) -> bool {
        self.updates.iter().any(|series| number.starts_with(series))
    }
}

/// The publisher with that abbreviation or name, in any case: `ISO`, `Bureau International des Poids et
/// Mesures`.
pub fn find_publisher(name: &str) -> Option<&'static Publisher> {
    BY_NAME.get(segment(name).as_str()).copied()
}

pub(super) fn by_id(id: &str) -> Option<&'static Publisher> {
    BY_NAME.get(id).copied().filter(|known| known.id == id)
}

/// The publishers by id and by each of their names: every word of a designation is looked up.
static BY_NAME: LazyLock<HashMap<&str, &Publisher>> = LazyLock::new(|| {
    let named = |p: &'static Publisher| p.names.iter().map(move |name| (*name, p));
    let ids = PUBLISHERS.iter().map(|p| (p.id, p));
    PUBLISHERS.iter().flat_map(named).chain(ids).collect()
});

/// The code of a kind of document by its word in a designation or in metadata: `technical-specification` is
/// `ts`.
pub fn document_type(word: &str) -> Option<&'static str> {
    KIND_BY_WORD.get(segment(word).as_str()).copied()
}

/// The codes of the kinds by each of their words.
static KIND_BY_WORD: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| KINDS.iter().flat_map(|words| words.iter().map(|word| (*word, words[0]))).collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_of_one_publisher_and_written_as_a_segment() {
        let names = || PUBLISHERS.iter().flat_map(|p| p.names.iter().chain([&p.id]));
        for name in names() {
            assert_eq!(segment(name), **name);
            assert_eq!(names().filter(|other| *other == name).count(), 1, "{name}");
        }
        let words = || KINDS.iter().flat_map(|words| words.iter());
        for word in words() {
            assert_eq!(words().filter(|other| *other == word).count(), 1, "{word}");
        }
        let kinds = PUBLISHERS.iter().flat_map(|p| p.kinds);
        assert_eq!(kinds.filter(|code| document_type(code) != Some(**code)).collect::<Vec<_>>(), [&""; 0]);
    }

    #[test]
    fn a_publisher_is_known_by_its_names() {
        for (name, id) in [
            ("ISO", "iso"),
            ("Bureau International des Poids et Mesures", "bipm"),
            ("International Organization of Legal Metrology", "oiml"),
            ("ÖNORM", "onorm"),
            ("UN/CEFACT", "un"),
            ("United Nations", "un"),
        ] {
            assert_eq!(find_publisher(name).map(|p| p.id), Some(id), "{name}");
        }
        assert!(find_publisher("Acme").is_none());
    }
}
