//! Tests of lists: names, alternatives, and what a lead-in asks for before its list.

use super::*;

#[test]
fn a_lead_in_to_mere_names_is_itself_the_provision() {
    let page = paragraph("The following types shall be used:").item(0, 1, "type A").item(0, 1, "type B");
    assert_eq!(texts(&page.provisions()), ["The following types shall be used:"]);
}

#[test]
fn names_that_are_asked_for_are_each_a_provision_and_their_lead_in_is_none() {
    let list = |lead: &str| paragraph(lead).item(0, 1, "crew list;").item(0, 1, "oil record.").provisions();
    assert_eq!(texts(&list("The following documents shall be kept:")), ["crew list;", "oil record."]);
    // What may be done is not stated again for each name.
    let permitted = list("The following documents may be kept:");
    assert_eq!(texts(&permitted), ["The following documents may be kept:"]);
}

#[test]
fn items_behind_a_conjunction_are_conditions_of_their_lead_in() {
    for lead in
        ["The hatch shall be shut if:", "The hatch shall be shut unless:", "The hatch shall be shut when:"]
    {
        let list = paragraph(lead).item(0, 1, "the sea is rough;").item(0, 1, "the crew is asleep.");
        assert_eq!(texts(&list.provisions()), [lead]);
    }
}

#[test]
fn the_list_of_an_item_that_includes_is_a_part_of_it() {
    let list = paragraph("The master shall submit:")
        .item(0, 1, "a report in a month, including:")
        .item(1, 2, "its cause;")
        .item(1, 2, "the damage.");
    assert_eq!(texts(&list.provisions()), ["a report in a month, including:"]);
}

#[test]
fn a_list_of_alternatives_is_one_provision_with_its_lead_in() {
    for lead in ["The bag shall have one of these:", "The bag shall have:"] {
        let page = |lid: &str| {
            paragraph(lead)
                .item(0, 1, "a seal of wax; or")
                .item(0, 1, lid)
                .item(2, 2, "of tin")
                .item(2, 2, "of lead")
        };
        let provisions = page("a lid:").provisions();
        assert_eq!(texts(&provisions), [format!("{lead} a seal of wax; or a lid: of tin of lead")]);
        assert_eq!(provisions[0].lead_in, None);
        assert_ne!(page("a cap:").provisions()[0].id, provisions[0].id, "each alternative is in the id");
    }
    let banned = paragraph("The bag shall not have:").item(0, 1, "a seal; or").item(0, 1, "a lid.");
    assert_eq!(texts(&banned.provisions()), ["a seal; or", "a lid."]);
}

#[test]
fn what_a_lead_in_asks_for_before_its_list_is_a_provision_too() {
    use ProvisionKind::{Recommendation, Requirement};
    let page = paragraph("The bag shall be kept dry and should bear:")
        .item(0, 1, "its mass;")
        .item(0, 1, "its age.");
    let found: Vec<_> =
        page.provisions().iter().map(|p| (p.kind, p.text.to_string(), p.verbal_form.to_string())).collect();
    let of = |kind, text: &str, form: &str| (kind, text.to_owned(), form.to_owned());
    assert_eq!(
        found,
        [
            of(Requirement, "The bag shall be kept dry and should bear:", "shall"),
            of(Recommendation, "its mass;", "should"),
            of(Recommendation, "its age.", "should"),
        ]
    );
}
