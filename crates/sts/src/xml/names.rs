//! Element names of all dialects, in one table.
//!
//! Elements are known by their local name, since real files bind prefixes to wrong namespaces or to none.

use std::borrow::Cow;
use std::sync::LazyLock;

use foldhash::HashMap;

macro_rules! names {
    ($($name:ident $text:literal)*) => {
        /// Type of a node by its local name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(clippy::enum_variant_names, reason = "variants are the tags' own names")]
        pub(crate) enum Name {
            /// Character data between tags, with CDATA sections.
            Text,
            /// A comment, an instruction or the document itself.
            Other,
            /// An element of no known name.
            Unknown,
            $($name),*
        }

        impl Name {
            /// The name of an element.
            pub(crate) fn from_local(local: &str) -> Self {
                static NAMES: LazyLock<HashMap<&str, Name>> =
                    LazyLock::new(|| [$(($text, Name::$name)),*].into_iter().collect());
                NAMES.get(local).or_else(|| IEEE.get(local)).copied().unwrap_or(Self::Unknown)
            }
        }
    };
}

/// Element names of IEEE's own tag set (root `standards-document`) that differ from NISO STS.
static IEEE: LazyLock<HashMap<&str, Name>> = LazyLock::new(|| {
    [
        ("std-def-list", Name::DefList),
        ("std-def-list-item", Name::DefItem),
        ("var-item", Name::DefItem),
        ("std-title-group", Name::TitleWrap),
        ("std-intro-title", Name::Intro),
        ("std-main-title", Name::Main),
        ("std-full-title", Name::Full),
    ]
    .into_iter()
    .collect()
});

names! {
    // documents
    Standard "standard" StandardsDocument "standards-document" Adoption "adoption" AdoptionFront "adoption-front"
    Front "front" Body "body" Back "back" SubPart "sub-part" AppGroup "app-group"
    // metadata
    IsoMeta "iso-meta" RegMeta "reg-meta" NatMeta "nat-meta" StdMeta "std-meta" StdDocMeta "std-doc-meta"
    ProcessingMeta "processing-meta" StandardsMeta "standards-meta"
    TitleWrap "title-wrap" IntroTitleWrap "intro-title-wrap" MainTitleWrap "main-title-wrap"
    ComplTitleWrap "compl-title-wrap" FullTitleWrap "full-title-wrap"
    Intro "intro" Main "main" Compl "compl" Full "full"
    DocIdent "doc-ident" Sdo "sdo" ProjId "proj-id" Language "language" ReleaseVersion "release-version" Urn "urn"
    StdIdent "std-ident" Originator "originator" DocType "doc-type" DocNumber "doc-number"
    PartNumber "part-number" SubPartNumber "sub-part-number" Edition "edition" Version "version"
    SupplType "suppl-type" SupplNumber "suppl-number" SupplVersion "suppl-version"
    StdOrg "std-org" StdOrgAbbrev "std-org-abbrev" StdOrgName "std-org-name" StdDesignation "std-designation"
    ContentLanguage "content-language" StdRef "std-ref" DocRef "doc-ref" PubDate "pub-date" ReleaseDate "release-date"
    MetaDate "meta-date" ApprovalDate "approval-date" CommRef "comm-ref" CommRefGroup "comm-ref-group"
    Secretariat "secretariat" Ics "ics" IcsWrap "ics-wrap"
    IcsDesc "ics-desc" IcsCode "ics-code" Approval "approval" StdSponsor "std-sponsor" AltTitle "alt-title"
    RelatedArticle "related-article" StdXref "std-xref" PageCount "page-count" IsProof "is-proof" Permissions "permissions"
    CopyrightStatement "copyright-statement" CopyrightYear "copyright-year" CopyrightHolder "copyright-holder"
    CustomMeta "custom-meta" MetaName "meta-name" MetaValue "meta-value"
    Year "year" Month "month" Day "day"
    // sections
    Sec "sec" App "app" TermSec "term-sec" RefList "ref-list" FnGroup "fn-group" Index "index" Notes "notes" Ack "ack"
    Glossary "glossary" AnnexType "annex-type" Label "label" Title "title" Subtitle "subtitle" Toc "toc"
    // running text
    P "p" List "list" ListItem "list-item" DefList "def-list" DefItem "def-item" Def "def" DefHead "def-head"
    TermHead "term-head" Bold "bold" Italic "italic" Sub "sub" Sup "sup" Underline "underline" Overline "overline"
    Sc "sc" Monospace "monospace" Roman "roman" SansSerif "sans-serif" Strike "strike" StyledContent "styled-content"
    NamedContent "named-content" Break "break" Email "email" ExtLink "ext-link" Uri "uri" Xref "xref" Num "num"
    Abbrev "abbrev" X "x" InlineSupplementaryMaterial "inline-supplementary-material" Target "target" Private "private-char"
    Std "std" StdId "std-id" StdIdGroup "std-id-group" MixedCitation "mixed-citation"
    ElementCitation "element-citation" NlmCitation "nlm-citation" CitationAlternatives "citation-alternatives" Ref "ref" RelatedObject "related-object"
    Article "article-title" ChapterTitle "chapter-title" StdTitle "std-title" Source "source"
    StdOrganization "std-organization" PublisherName "publisher-name" Institution "institution" Collab "collab" PubId "pub-id" Fn "fn" Footnote "footnote"
    NonNormativeNote "non-normative-note" NormativeNote "normative-note" NonNormativeExample "non-normative-example"
    NormativeExample "normative-example" NotesGroup "notes-group" ExampleGroup "example-group"
    DispQuote "disp-quote" BoxedText "boxed-text" VerseGroup "verse-group" VerseLine "verse-line"
    EditingInstruction "editing-instruction" Preformat "preformat" Code "code" Speech "speech" Statement "statement"
    Legend "legend" Attrib "attrib" IndexTerm "index-term" IndexXref "index-xref" IndexEntry "index-entry"
    IndexDiv "index-div" IndexTitleGroup "index-title-group" NavPointer "nav-pointer" NavPointerGroup "nav-pointer-group"
    Requirement "requirement" Recommendation "recommendation" Permission "permission"
    HtmlUl "ul" HtmlOl "ol" HtmlLi "li" HtmlBr "br" HtmlHr "hr" HtmlDiv "div" Rt "rt"
    // parts of other files
    Include "include"
    // changes
    Ins "ins" Del "del" Add "add"
    // figures, tables
    Fig "fig" FigGroup "fig-group" Graphic "graphic" InlineGraphic "inline-graphic" Media "media" Caption "caption"
    AltText "alt-text" LongDesc "long-desc" ObjectId "object-id" Alternatives "alternatives"
    TableWrap "table-wrap" TableWrapGroup "table-wrap-group" TableWrapFoot "table-wrap-foot" Array "array"
    Table "table" Thead "thead" Tbody "tbody" Tfoot "tfoot" Tr "tr" Th "th" Td "td" Tgroup "tgroup" Row "row"
    Entry "entry" Col "col" Colgroup "colgroup" Colspec "colspec" Spanspec "spanspec"
    // formulae
    DispFormula "disp-formula" DispFormulaGroup "disp-formula-group" InlineFormula "inline-formula"
    TexMath "tex-math" ChemStruct "chem-struct" ChemStructWrap "chem-struct-wrap" TextualForm "textual-form"
    Math "math" Mrow "mrow" Mi "mi" Mn "mn" Mo "mo" Mtext "mtext" Ms "ms" Mspace "mspace" Mfrac "mfrac" Msqrt "msqrt"
    Mroot "mroot" Msub "msub" Msup "msup" Msubsup "msubsup" Mover "mover" Munder "munder" Munderover "munderover"
    Mmultiscripts "mmultiscripts" Mprescripts "mprescripts" None "none" Mtable "mtable" Mtr "mtr"
    Mlabeledtr "mlabeledtr" Mtd "mtd" Mfenced "mfenced" Mphantom "mphantom" Mstyle "mstyle" Mpadded "mpadded"
    Menclose "menclose" Merror "merror" Semantics "semantics" Annotation "annotation"
    AnnotationXml "annotation-xml" Maction "maction" Maligngroup "maligngroup" Malignmark "malignmark"
    Mglyph "mglyph" Mstack "mstack" Mlongdiv "mlongdiv" Msgroup "msgroup" Msline "msline" Mscarries "mscarries"
    // terms
    TermEntry "termEntry" LangSet "langSet" Tig "tig" Ntig "ntig" TermGrp "termGrp" Term "term"
    Definition "definition" Note "note" Example "example" SubjectField "subjectField" See "see"
    CrossReference "crossReference" EntailedTerm "entailedTerm" XGraphic "xGraphic" XSource "xSource"
    PartOfSpeech "partOfSpeech" NormativeAuthorization "normativeAuthorization" TermType "termType"
    GrammaticalGender "grammaticalGender" GrammaticalNumber "grammaticalNumber" GeographicalUsage "geographicalUsage"
    UsageNote "usageNote" Pronunciation "pronunciation" TermDisplay "term-display"
}

/// Sets of names, each with a method that tests whether a name is in it.
macro_rules! sets {
    ($(#[doc = $doc:literal] $method:ident: $($name:ident)+;)*) => {
        impl Name {
            $(#[doc = $doc] pub(crate) fn $method(self) -> bool { matches!(self, $(Self::$name)|+) })*
        }
    };
}

sets! {
    /// Blocks of metadata that can identify a document.
    is_meta_block: IsoMeta RegMeta NatMeta StdMeta StandardsMeta StdDocMeta;
    /// Sections everywhere except in metadata.
    is_section: Sec App TermSec;
    /// Sections where no other section contains them.
    is_outer_section: RefList FnGroup Index Notes Ack Glossary SubPart;
    /// Elements that only contain sections and loose content.
    is_container: Standard StandardsDocument Adoption AdoptionFront Front Body Back AppGroup;
    /// Elements that only change the look of words.
    is_formatting: Bold Italic Underline Overline Sc Roman SansSerif Monospace Strike StyledContent NamedContent;
    /// Parts of a sentence, which need no mark around them.
    is_plain_inline: Bold Italic Underline Overline Sc Roman SansSerif Strike Num Abbrev X Target Article ChapterTitle
        TextualForm Term Source StdRef;
    /// Citations, of which an entry may hold several.
    is_citation: Std MixedCitation ElementCitation NlmCitation CitationAlternatives;
    /// Elements that a source may mark as a provision by an attribute.
    is_markable: P NamedContent StyledContent Statement BoxedText ListItem DispQuote TableWrap Sec;
    /// Elements that are written after the formula around them.
    follows_formula: NonNormativeNote NormativeNote Array TableWrap Table List DefList P Legend Fig;
    /// Parts of an entry of terms that print has at their own positions.
    is_entry_part: Tig Ntig Definition SubjectField Example Note Source XSource;
    /// Elements that have a line or lines of their own in the text of a section.
    is_block_of_text: P List ListItem DefList DefItem Def DefHead TermHead VerseGroup VerseLine HtmlUl HtmlOl HtmlLi HtmlDiv
        Label Title Subtitle AnnexType Caption Attrib Legend NonNormativeNote NormativeNote NonNormativeExample
        NormativeExample NotesGroup ExampleGroup Notes DispQuote BoxedText EditingInstruction Preformat Code Speech
        Statement Requirement Recommendation Permission Fig FigGroup TableWrap TableWrapGroup TableWrapFoot Array Table
        Thead Tbody Tfoot Tgroup Tr Row Th Td Entry DispFormula DispFormulaGroup ChemStructWrap Fn FnGroup Ref RefList
        Index IndexDiv IndexEntry IndexTitleGroup Toc Glossary Ack TermEntry TermDisplay LangSet Tig Ntig TermGrp
        Definition Note Example SubjectField;
}

impl Name {
    /// Elements with metadata of the document, also of its processing.
    pub(crate) fn is_metadata(self) -> bool {
        self.is_meta_block() || self == Self::ProcessingMeta
    }

    /// Elements that belong to the word before them: a change of look, a script, a mark.
    pub(crate) fn is_attached(self) -> bool {
        self.is_formatting()
            || matches!(self, Self::Sub | Self::Sup | Self::Xref | Self::Fn | Self::StdId | Self::StdIdGroup)
    }

    /// Elements that end a sentence, wherever they are.
    pub(crate) fn is_block(self) -> bool {
        self.is_block_of_text() || self.is_section() || self.is_container()
    }
}

/// The namespace of a prefix in the dialects; an own one for other prefixes.
pub(crate) fn namespace_of(prefix: &str) -> Cow<'static, str> {
    Cow::Borrowed(match prefix {
        "mml" | "m" | "math" => "http://www.w3.org/1998/Math/MathML",
        "xlink" => "http://www.w3.org/1999/xlink",
        "tbx" => "urn:iso:std:iso:30042:ed-1",
        "xsi" => "http://www.w3.org/2001/XMLSchema-instance",
        "oasis" => "http://www.niso.org/standards/z39-96/ns/oasis-exchange/table",
        "ali" => "http://www.niso.org/schemas/ali/1.0/",
        "svg" => "http://www.w3.org/2000/svg",
        "xhtml" | "html" => "http://www.w3.org/1999/xhtml",
        _ => return Cow::Owned(format!("urn:x-undeclared:{prefix}")),
    })
}
