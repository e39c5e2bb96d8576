//! Views as a reader sees them: every view is parsed as its shape and has the values of the edition.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use bytes::Bytes;
use norma_api::media::View;
use norma_api::shapes::*;
use norma_compare::{ComparisonUnit, Units};
use norma_render::{Compression, PARTS_OF_UNITS, PackPart, Plan, Stored, render, units, units_of_provisions};
use serde_json::Value;
use sha2::{Digest, Sha256};
use support::{Rendered, rendered};

fn live_fields() -> CatalogueMembers<'static> {
    CatalogueMembers {
        status: Status::Superseded,
        status_reason: None,
        withdrawn_on: None,
        notice: None,
        amended_by: Vec::new(),
        related_editions: Some(vec![RelatedEdition {
            kind: RelatedEditionType::ReplacedBy,
            urn: "urn:nsb:std:nsb:4210:ed-2:en".into(),
            reference: "NSB 4210:2025".into(),
        }]),
    }
}

#[test]
fn a_standard_after_what_the_catalogue_says_of_it_reads_back_as_its_shape() {
    let rendered = rendered();
    for view in [View::Complete, View::Metadata] {
        let stored: Value = serde_json::from_slice(&rendered.view(view)).unwrap();
        assert!(stored.get("status").is_none() && stored.get("relatedEditions").is_none());
    }
    let sent = rendered.view_after(View::Complete, live_fields().json_prefix());
    let read: Standard<'static> = serde_json::from_slice(&sent).unwrap();
    assert_eq!(
        (read.status, Some(&read.related_editions)),
        (Status::Superseded, live_fields().related_editions.as_ref())
    );
    assert_eq!(serde_json::to_vec(&read).unwrap(), sent);
    let sent = rendered.view_after(View::Metadata, live_fields().json_prefix());
    let read: MetadataView<'static> = serde_json::from_slice(&sent).unwrap();
    assert_eq!(serde_json::to_vec(&read).unwrap(), sent);
}

#[test]
fn each_view_reads_back_as_its_shape() {
    fn same<T: serde::Serialize + serde::de::DeserializeOwned>(bytes: &[u8]) {
        let read: T = serde_json::from_slice(bytes).unwrap();
        assert_eq!(serde_json::to_vec(&read).unwrap(), bytes);
    }
    let rendered = rendered();
    same::<SectionsView<'static>>(&rendered.view(View::Sections));
    same::<ContentView<'static>>(&rendered.view(View::Content));
    same::<ProvisionsView<'static>>(&rendered.view(View::Provisions));
    same::<TermsView<'static>>(&rendered.view(View::Terms));
    same::<TablesView<'static>>(&rendered.view(View::Tables));
    same::<GraphicsView<'static>>(&rendered.view(View::Graphics));
}

#[test]
fn the_length_of_each_view_is_known_before_it_is_made() {
    let rendered = rendered();
    for &view in View::ALL {
        assert_eq!(rendered.view(view).len() as u64, rendered.directory.size(view), "{view:?}");
    }
}

#[test]
fn fragments_are_those_of_what_they_show() {
    let (edition, rendered) = (support::edition(), rendered());
    for (index, section) in edition.sections.iter().enumerate() {
        let content = rendered.fragment(PackPart::Content, rendered.offsets.section(index).unwrap());
        let read: ContentSection<'_> = serde_json::from_slice(&content).unwrap();
        assert_eq!((&*read.head.id, &*read.text), (section.id.as_str(), section.text.as_str()));
        let is_parent = edition.sections.iter().any(|other| other.parent == Some(index));
        let heading = rendered.offsets.heading(index).map(|json| serde_json::from_str(json).unwrap());
        assert_eq!(heading, is_parent.then(|| SectionRef::from(section)));
        assert_eq!(rendered.offsets.parent_of(index), section.parent);
        let text = rendered.assemble(Plan::text(&rendered.offsets, index..index + 1).unwrap());
        let trimmed = section.text.trim_end();
        let expected = if trimmed.is_empty() { String::new() } else { format!("{trimmed}\n\n") };
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
    for (index, provision) in edition.provisions.iter().enumerate() {
        let read = rendered.fragment(PackPart::Provisions, rendered.offsets.item(index).unwrap());
        let read: Provision<'_> = serde_json::from_slice(&read).unwrap();
        assert_eq!(read.id, provision.id.to_string());
        assert_eq!(rendered.offsets.section_of(index), Some(provision.section));
    }
    assert_eq!(rendered.offsets.section_of(edition.provisions.len()), None);
}

#[test]
fn items_are_read_from_the_restart_points_before_them() {
    let (edition, assets) = (support::edition(), support::example::edition().1);
    let fine = Compression { level: 6, restart_distance: 300 };
    let rendered = Rendered::of(render(&edition, &assets, support::example::REVISION, b"", b"", fine));
    let offsets = &rendered.offsets;
    for (part, count) in
        [(PackPart::Provisions, edition.provisions.len()), (PackPart::Content, edition.sections.len())]
    {
        let range = |index| match part {
            PackPart::Provisions => offsets.item(index),
            _ => offsets.section(index),
        };
        let count = count as u32;
        let every = |step| (0..count).step_by(step).collect::<Vec<_>>();
        for indexes in [vec![], vec![0], vec![count - 1], vec![1, count - 1], every(1), every(3)] {
            let front = Bytes::from(open_list(&serde_json::json!({"urn": "u"}), "items"));
            let fragment = |&index: &u32| rendered.fragment(part, range(index as usize).unwrap());
            let fragments: Vec<Bytes> = indexes.iter().map(fragment).collect();
            let expected = [&front[..], &fragments.join(&b","[..]), b"]}"].concat();
            let plan = || Plan::items(part, front.clone(), offsets, indexes.clone(), |_| None).unwrap();
            assert_eq!(rendered.assemble(plan()), expected, "{part:?} {indexes:?}");
            assert_eq!(plan().size(), expected.len() as u64);
        }
        assert!(Plan::items(part, Bytes::new(), offsets, vec![count], |_| None).is_err());
    }
}

#[test]
fn the_tree_and_the_flat_content_hold_the_same_sections_in_the_same_order() {
    fn flatten<'t, 'a>(tree: &'t [Section<'a>], into: &mut Vec<&'t Section<'a>>) {
        for section in tree {
            into.push(section);
            flatten(&section.children, into);
        }
    }
    let rendered = rendered();
    let complete = rendered.view_after(View::Complete, live_fields().json_prefix());
    let content = rendered.view(View::Content);
    let complete: Standard<'static> = serde_json::from_slice(&complete).unwrap();
    let content: ContentView<'static> = serde_json::from_slice(&content).unwrap();
    let mut tree = Vec::new();
    flatten(&complete.sections, &mut tree);
    assert_eq!(tree.len(), content.sections.len());
    for (index, (deep, flat)) in tree.iter().zip(&content.sections).enumerate() {
        assert_eq!((&deep.head, &deep.xml, &deep.text), (&flat.head, &flat.xml, &flat.text));
        assert_eq!(deep.head.order, index as u32 + 1);
    }
    assert_eq!(complete.sections[1].children[0].head.id, "sec_3.1");
    assert_eq!(content.sections[2].parent_id.as_deref(), Some("sec_3"));
    assert_eq!(content.sections[2].terms[0].id, "term_3.1");
}

#[test]
fn counts_are_those_of_the_section_itself_and_with_the_sections_within_it() {
    let sections = rendered().view(View::Sections);
    let view: SectionsView<'static> = serde_json::from_slice(&sections).unwrap();
    let section = |id: &str| view.sections.iter().find(|s| s.head.id == id).unwrap();
    let count = |id: &str| section(id).counts;
    assert_eq!(count("sec_4"), SectionCounts { provisions: 2, terms: 0, graphics: 0 });
    assert_eq!(count("sec_3"), SectionCounts::default());
    assert_eq!(count("sec_A"), SectionCounts { provisions: 1, terms: 0, graphics: 1 });
    assert_eq!(section("sec_3").total_counts, SectionCounts { terms: 1, ..SectionCounts::default() });
}

#[test]
fn nothing_is_null_and_a_graphic_without_a_file_says_so() {
    let rendered = rendered();
    for view in [View::Complete, View::Metadata, View::Sections, View::Content] {
        assert!(!String::from_utf8(rendered.view(view)).unwrap().contains(":null"));
    }
    let graphics = rendered.view(View::Graphics);
    let graphics: GraphicsView<'_> = serde_json::from_slice(&graphics).unwrap();
    let [there, missing] = graphics.items.as_slice() else { panic!("two graphics") };
    assert!(
        there.available
            && there.width == Some(640)
            && there.section.as_ref().is_some_and(|section| section.id == "sec_A")
    );
    assert!(!missing.available && missing.size.is_none() && missing.section.is_none());
}

#[test]
fn the_whole_wire_form_of_the_example_is_as_pinned() {
    let [complete, provisions] = [View::Complete, View::Provisions].map(|view| rendered().view(view));
    let complete: Value = serde_json::from_slice(&complete).unwrap();
    let provisions: Value = serde_json::from_slice(&provisions).unwrap();
    insta::assert_json_snapshot!("complete", complete);
    insta::assert_json_snapshot!("provisions", provisions);
}

/// Version of packs, version of rendering (`norma_render::VERSION`), and the digest of their results for the
/// example edition.
const WRITTEN: &[(u8, u32, u64)] = &[
    (2, 4, 0xbc73_4e11_86ae_005a),
    (2, 5, 0xfa56_d7e1_83bd_67da),
    (2, 6, 0x7bed_e955_14e9_dbf1),
    (3, 7, 0x963d_5cb5_bc6e_e61b),
    (4, 8, 0x8993_6b04_965d_2be6),
    (4, 9, 0x1e7b_4bae_d22e_697f),
    (4, 10, 0x2acd_98da_e9c1_ffe5),
    (4, 11, 0x6c4a_a76b_fad9_10dc),
    (4, 12, 0xf6da_0a80_962e_502a),
    (4, 13, 0x19ed_1ce8_ba47_aeb9),
    (5, 14, 0x3c0e0e0099ff8aa4),
];

#[test]
fn the_text_of_a_standard_is_in_the_order_of_its_source() {
    let source = "<standard><front><std-meta><std-ident><originator>NSB</originator><doc-number>9000</doc-number><edition>1</edition>\
        </std-ident><content-language>en</content-language></std-meta></front><body><sec id='a'><label>4</label><p>One \"é\".</p>\
        <sec id='b'><label>4.1</label><p>Two.</p><sec id='c'><label>4.1.1</label><p>Three.</p></sec><p>Four.</p></sec><p>Five<fn>\
        <p>Ten</p></fn>.</p><sec id='d'><label>4.2</label><p>Six.</p></sec><sec id='e'><label>4.3</label><p>Seven.</p></sec>\
        <p>Eight.</p></sec><sec id='f'><label>5</label><p>Nine.</p></sec></body></standard>";
    let edition =
        norma_sts::extract(source.as_bytes(), &norma_sts::ExtractionOptions::default()).unwrap().edition;
    let pack = render(&edition, &[], "r", source.as_bytes(), b"", Compression::with_level(1));
    let rendered = Rendered::of(pack);
    let words = |text: Vec<u8>| {
        let text = String::from_utf8(text).unwrap();
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        words(rendered.view(View::ContentText)),
        "4 One \"é\". 4.1 Two. 4.1.1 Three. Four. Five^1). 4.2 Six. 4.3 Seven. Eight. 1) Ten 5 Nine."
    );
    let index = |id: &str| edition.sections.iter().position(|section| section.id.as_str() == id).unwrap();
    let chosen = |ids: &[&str]| {
        let indexes: Vec<usize> = ids.iter().map(|id| index(id)).collect();
        words(rendered.assemble(Plan::text(&rendered.offsets, indexes).unwrap()))
    };
    assert_eq!(chosen(&["b"]), "4.1 Two. Four.");
    assert_eq!(chosen(&["b", "c", "f"]), "4.1 Two. 4.1.1 Three. Four. 5 Nine.");
    assert_eq!(chosen(&["a", "d"]), "4 One \"é\". Five^1). 4.2 Six. Eight. 1) Ten");
    assert_eq!(rendered.view(View::ContentText).len() as u64, rendered.directory.size(View::ContentText));
}

#[test]
fn other_bytes_have_another_version() {
    let Rendered { pack, directory, .. } = rendered();
    let parts = PackPart::ALL.map(|part| {
        let Stored { size, identity_tag, compressed, .. } = directory.part(part);
        (part.name(), *size, *identity_tag, *compressed)
    });
    let composed = View::ALL.iter().map(|view| directory.size(*view)).collect::<Vec<_>>();
    let digest = Sha256::digest(format!("{parts:?} {composed:?}"));
    let digest = u64::from_be_bytes(digest[..8].try_into().unwrap());
    let found = (pack.directory[0], norma_render::VERSION, digest);
    assert_eq!(
        WRITTEN.last(),
        Some(&found),
        "an edition is rendered as other bytes. Raise `VERSION` in render/src/lib.rs, so that stored editions are rebuilt. Where Index, \
         Offsets, the directory or another part cannot be read as before, also raise `VERSION` in render/src/pack.rs and the version of the \
         store (docs/decisions/0015-migrations.md). Then add a line to `WRITTEN`; of parts: {parts:x?}; found {found:x?}"
    );
    assert!(
        WRITTEN.is_sorted_by(|a, b| a.0 <= b.0 && a.1 < b.1),
        "each line has a later version: {WRITTEN:?}"
    );
}

#[test]
fn units_are_read_from_the_parts_of_a_pack_as_they_follow_from_the_edition() {
    let (edition, rendered) = (support::edition(), rendered());
    let read = || PARTS_OF_UNITS.map(|part| rendered.assemble(Plan::part(part, &rendered.directory)).into());
    let assets = support::example::edition().1;
    let digests = assets.iter().map(|asset| asset.as_ref().map(|asset| *asset.digest.as_bytes()));
    let expected = Units::from(&*edition).with_picture_digests(digests);
    let has_some =
        |part: fn(&ComparisonUnit) -> bool| expected.units.iter().any(part) && !expected.terms.is_empty();
    assert!(has_some(|unit| unit.lead_in.is_some()) && has_some(|unit| !unit.references.is_empty()));
    assert!(has_some(|unit| !unit.context.limits.is_empty()));
    assert_eq!(units(&read()), Some(expected.clone()));
    let mut other: [bytes::Bytes; 4] = read();
    other[0] = [&[99], &other[0][1..]].concat().into();
    assert_eq!(units(&other), None, "units of another version");
    other = read();
    other[1] = other[2].clone();
    assert_eq!(units(&other), None, "provisions of another edition");
    let alone = units_of_provisions(&read()[1]).unwrap();
    for (one, whole) in alone.units.iter().zip(&expected.units) {
        assert_eq!((&one.id, &one.text, &one.lead_in), (&whole.id, &whole.text, &whole.lead_in));
        assert_eq!(alone.sections[one.section].id, expected.sections[whole.section].id);
    }
    assert_eq!(alone.units.len(), expected.units.len());
}
