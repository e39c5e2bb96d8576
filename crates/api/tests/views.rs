//! Views as a reader sees them: every view reads back as its shape and says what the edition says.

use norma_api::example;
use norma_api::shapes::*;
use serde_json::Value;

fn with_views<T>(look: impl FnOnce(&Views<'_>) -> T) -> T {
    let (edition, assets) = example::edition();
    look(&Views::new(&edition, &assets, example::REVISION))
}

fn standing() -> Standing<'static> {
    Standing {
        status: Status::Superseded,
        related_editions: vec![RelatedEdition {
            kind: RelatedEditionType::ReplacedBy,
            urn: "urn:nsb:std:nsb:4210:ed-2:en".into(),
            reference: "NSB 4210:2025".into(),
        }],
    }
}

#[test]
fn a_stored_view_with_its_standing_in_front_is_the_view_rendered_whole() {
    let (complete, metadata) = with_views(|v| (v.complete(), v.metadata()));
    for stored in [&complete, &metadata] {
        let stored: Value = serde_json::from_slice(stored).unwrap();
        assert!(stored.get("status").is_none() && stored.get("relatedEditions").is_none());
    }
    let sent = standing().before(&complete);
    let read: Complete<'static> = serde_json::from_slice(&sent).unwrap();
    assert_eq!((read.status, &read.related_editions), (Status::Superseded, &standing().related_editions));
    assert_eq!(serde_json::to_vec(&read).unwrap(), sent);
    let sent = standing().before(&metadata);
    let read: MetadataView<'static> = serde_json::from_slice(&sent).unwrap();
    assert_eq!(serde_json::to_vec(&read).unwrap(), sent);
}

#[test]
fn each_view_reads_back_as_its_shape() {
    fn same<T: serde::Serialize + serde::de::DeserializeOwned>(bytes: &[u8]) {
        let read: T = serde_json::from_slice(bytes).unwrap();
        assert_eq!(serde_json::to_vec(&read).unwrap(), bytes);
    }
    with_views(|views| {
        same::<SectionsView<'static>>(&views.sections());
        same::<ContentView<'static>>(&views.content().bytes);
        same::<ProvisionsView<'static>>(&views.provisions().bytes);
        same::<TermsView<'static>>(&views.terms().bytes);
        same::<GraphicsView<'static>>(&views.graphics().bytes);
    });
}

#[test]
fn fragments_are_parallel_to_what_they_show() {
    let (edition, assets) = example::edition();
    let views = Views::new(&edition, &assets, example::REVISION);
    let content = views.content();
    let sections: Vec<ContentSection<'_>> =
        content.items().map(|fragment| serde_json::from_slice(fragment).unwrap()).collect();
    let ids: Vec<&str> = edition.sections.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(sections.iter().map(|s| s.id.as_ref()).collect::<Vec<_>>(), ids);
    let provisions = views.provisions();
    for (fragment, provision) in provisions.items().zip(&edition.provisions) {
        let read: Provision<'_> = serde_json::from_slice(fragment).unwrap();
        assert_eq!(read.id, provision.id.to_string());
    }
    assert_eq!(provisions.items().len(), edition.provisions.len());
    let text = views.content_text();
    let requirements = std::str::from_utf8(text.items().nth(3).unwrap()).unwrap();
    assert!(requirements.starts_with("4 Requirements\n\nA ground anchor shall"), "{requirements}");
}

#[test]
fn the_tree_and_the_flat_content_hold_the_same_sections_in_the_same_order() {
    fn flatten<'t, 'a>(tree: &'t [Section<'a>], into: &mut Vec<&'t Section<'a>>) {
        for section in tree {
            into.push(section);
            flatten(&section.children, into);
        }
    }
    let (complete, content) = with_views(|v| (standing().before(&v.complete()), v.content().bytes.clone()));
    let complete: Complete<'static> = serde_json::from_slice(&complete).unwrap();
    let content: ContentView<'static> = serde_json::from_slice(&content).unwrap();
    let mut tree = Vec::new();
    flatten(&complete.sections, &mut tree);
    assert_eq!(tree.len(), content.sections.len());
    for (place, (deep, flat)) in tree.iter().zip(&content.sections).enumerate() {
        assert_eq!((&deep.id, &deep.xml, &deep.text), (&flat.id, &flat.xml, &flat.text));
        assert_eq!((deep.order, flat.order), (place as u32 + 1, place as u32 + 1));
    }
    assert_eq!(complete.sections[1].children[0].id, "sec_3.1");
    assert_eq!(content.sections[2].parent.as_deref(), Some("sec_3"));
    assert_eq!(content.sections[2].terms[0].id, "term_3.1");
}

#[test]
fn counts_and_belongings_are_those_of_the_section_itself() {
    let sections = with_views(|v| v.sections());
    let view: SectionsView<'static> = serde_json::from_slice(&sections).unwrap();
    let count = |id: &str| view.sections.iter().find(|s| s.id == id).unwrap().counts;
    assert_eq!(count("sec_4"), Counts { provisions: 2, terms: 0, graphics: 0 });
    assert_eq!(count("sec_3"), Counts::default());
    assert_eq!(count("sec_A"), Counts { provisions: 1, terms: 0, graphics: 1 });
}

#[test]
fn nothing_is_null_and_a_graphic_without_a_file_says_so() {
    with_views(|views| {
        for bytes in [views.complete(), views.metadata(), views.sections(), views.content().bytes.to_vec()] {
            assert!(!String::from_utf8(bytes).unwrap().contains(":null"));
        }
        let graphics: GraphicsView<'static> = serde_json::from_slice(&views.graphics().bytes).unwrap();
        let [there, missing] = graphics.items.as_slice() else { panic!("two graphics") };
        assert!(there.available && there.width == Some(640) && there.section.as_deref() == Some("sec_A"));
        assert!(!missing.available && missing.size.is_none() && missing.section.is_none());
    });
}

#[test]
fn the_whole_wire_form_of_the_example_is_as_pinned() {
    let (complete, provisions) = with_views(|v| (v.complete(), v.provisions().bytes.clone()));
    let complete: Value = serde_json::from_slice(&complete).unwrap();
    let provisions: Value = serde_json::from_slice(&provisions).unwrap();
    insta::assert_json_snapshot!("complete", complete);
    insta::assert_json_snapshot!("provisions", provisions);
}
