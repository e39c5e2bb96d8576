use super::*;

fn canonical(text: &str) -> String {
    text.parse::<Urn>().unwrap_or_else(|e| panic!("{text}: {e}")).to_string()
}

#[test]
fn canonical_urns_read_back_as_written_and_in_any_case() {
    for urn in [
        "urn:iso:std:iso:17301:-1:ed-2:en",
        "urn:iso:std:iso:17301:-1:amd:1:ed-2:en",
        "urn:iso:std:iso:tr:10023:ed-1:fr",
        "urn:din:std:din-en-iso:13849:-1:ed-2008-12:en",
        "urn:iso:std:iso:9999:ed-1:en,fr",
        "urn:iso:std:9001:ed-5:en",
        "urn:iso:std:iso:105:-c12:ed-1:en",
        "urn:iso:std:iso-iec:9075:-3:stage-30.60:ed-4:en",
        "urn:iso:std:iso:9999:-1:draft:amd:1:cor:2:ed-2:en",
        "urn:ogc:std:ogc:10-100r3:ed-2.0:en",
    ] {
        assert_eq!(canonical(urn), urn);
        assert_eq!(canonical(&format!("{}:", urn.to_uppercase())), urn);
    }
}
