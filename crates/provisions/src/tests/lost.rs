//! Tests of provisions outside of plain sentences: orders that make up a list, clauses of terms, brackets,
//! and `soll` in laws.

use super::*;

#[test]
fn a_list_of_orders_that_nothing_leads_in_binds_by_its_form() {
    let catalogue = |items: [&str; 3]| {
        let page = paragraph("Control:");
        items.into_iter().fold(page, |page, item| page.item(0, 1, item)).provisions()
    };
    let found = catalogue([
        "Review and approve the plan.",
        "Keep the plan in the office:",
        "Update the plan each year.",
    ]);
    assert_eq!(found.len(), 3);
    for provision in &found {
        assert_eq!(provision.rule, "en-imperative-by-form");
        assert!(provision.confidence < 0.7, "{provision:?}");
    }
    assert!(catalogue(["Review the plan.", "Plans of others.", "Update the plan."]).is_empty());
    let aims =
        paragraph("The aims of the plan are to").item(0, 1, "reduce the cost;").item(0, 1, "keep the staff;");
    assert!(aims.item(0, 1, "improve the tools.").provisions().is_empty());
}

#[test]
fn a_clause_of_orders_binds_by_its_form_and_a_clause_with_prose_does_not() {
    let orders = paragraph("Open the lid.")
        .block(BlockKind::Paragraph, "Remove the seal.")
        .block(BlockKind::Paragraph, "Close the lid.");
    assert_eq!(orders.provisions().len(), 3);
    let prose = orders.block(BlockKind::Paragraph, "The lid is red.");
    assert!(prose.provisions().is_empty());
}

#[test]
fn rules_in_a_clause_of_terms_bind_and_definitions_do_not() {
    let page = SectionSource::new(SectionKind::Terms)
        .block(BlockKind::Paragraph, "Lids shall be called covers in the log.")
        .block(BlockKind::Paragraph, "cover: part that shall close the bag")
        .block(BlockKind::Definition, "The cover shall close the bag.")
        .block(BlockKind::Paragraph, "A cover may be called a lid.");
    assert_eq!(texts(&page.provisions()), ["Lids shall be called covers in the log."]);
}

#[test]
fn a_remark_in_brackets_is_a_provision_next_to_that_of_its_sentence() {
    use ProvisionKind::{Permission, Recommendation, Requirement};
    let kinds = |page: SectionSource| page.provisions().iter().map(|p| p.kind).collect::<Vec<_>>();
    assert_eq!(kinds(paragraph("The lid shall fit (it should be dry).")), [Requirement, Recommendation]);
    assert_eq!(kinds(paragraph("The lid shall fit (if it should be dry).")), [Requirement]);
    let item = paragraph("The bag shall have:").item(0, 1, "a lid (the owner may remove it);");
    assert_eq!(kinds(item), [Requirement, Permission]);
}

#[test]
fn soll_is_a_duty_in_laws_whose_present_tense_is_reported_and_a_recommendation_in_standards() {
    use ProvisionKind::{Recommendation, Requirement};
    let found = |label: &str, urn: &str| {
        let mut page = SectionSource::new(SectionKind::Clause)
            .block(BlockKind::Paragraph, "Der Deckel soll passen.")
            .block(BlockKind::Paragraph, "Dieser Teil soll den Handel erleichtern.");
        page.section.label = Some(label.into());
        let found = find(&Input {
            urn: &urn.parse::<Urn>().unwrap(),
            languages: &["de".parse().unwrap()],
            sections: std::slice::from_ref(&page.section),
            blocks: &page.blocks,
            former_urn: None,
            language_of: &[0],
            terms: &[],
            tables: &[],
            graphics: &[],
            numbered: &[],
            reference: "",
            limits: &SearchLimits::default(),
        });
        let found = found.unwrap();
        let kinds: Vec<_> = found.provisions.iter().map(|p| (p.kind, p.rule.to_string())).collect();
        (kinds, codes(found.diagnostics), found.duties_without_verbal_form)
    };
    let law = found("§ 4", "urn:bmj:std:bmj:1:ed-1:de");
    assert_eq!(law.0, [(Requirement, "de-soll-rechtsvorschrift".to_owned())]);
    assert_eq!(law.1, ["duties-in-present-tense"]);
    assert!(law.2, "the metadata say that the list of provisions is not complete");
    let standard = found("4.2", "urn:din:std:din:1:ed-1:de");
    assert_eq!(standard.0, [(Recommendation, "de-soll-norm".to_owned())]);
    assert_eq!(standard.1, [""; 0]);
    assert!(!standard.2);
}
