//! Tests of a provision's references: parts of the document, standards with their clauses, the document
//! itself.

mod common;

use common::{document, read};
use norma_model::{Reference, ReferenceTarget};

/// A document with clauses 4, 4.1 to 4.3, 4.2.1 and 5, Annex C with C.2, Anlage 1, Tables 1 and 3, Figure 2,
/// Formula (4) and items a) and b); the sentence is in 4.1.
fn with_sentence(language: &str, sentence: &str) -> String {
    let table = |n: u8| {
        format!(
            "<table-wrap id='t{n}'><label>Table {n}</label><caption><title>Loads</title></caption>\
             <table><tr><td>x</td></tr></table></table-wrap>"
        )
    };
    let body = format!(
        "<sec id='s4'><label>4</label><title>Design</title>\
         <sec id='s4.1'><label>4.1</label><title>General</title><p>{sentence}</p>\
         <list><list-item><label>a)</label><p>one</p></list-item><list-item><label>b)</label><p>two</p></list-item></list>{}</sec>\
         <sec id='s4.2'><label>4.2</label><title>Lids</title><sec id='s4.2.1'><label>4.2.1</label><p>x</p></sec></sec>\
         <sec id='s4.3'><label>4.3</label><title>Bags</title><p>x</p></sec></sec>\
         <sec id='s5'><label>5</label><title>Tests</title>{}<fig id='f2'><label>Figure 2</label><graphic id='g2'/></fig>\
         <disp-formula><tex-math>x</tex-math><label>(4)</label></disp-formula></sec>",
        table(1),
        table(3),
    );
    let back = "</body><back><app-group><app id='aC' content-type='norm-annex'><label>Annex C</label><title>Pegs</title>\
        <sec id='sC.2'><label>C.2</label><p>x</p></sec></app>\
        <app id='a1' content-type='norm-annex'><label>Anlage 1</label><p>x</p></app></app-group></back>";
    document(&body)
        .replace("</body>", back)
        .replace("<content-language>en<", &format!("<content-language>{language}<"))
}

/// A reference as `text => target # clause self`.
fn written(reference: &Reference) -> String {
    let target = match &reference.target {
        Some(ReferenceTarget::Part(id)) => id.clone(),
        Some(ReferenceTarget::Urn(urn)) => urn.to_string(),
        None => "-".to_owned(),
    };
    let clause = reference.clause.as_ref().map(|clause| format!(" # {clause}")).unwrap_or_default();
    let itself = if reference.itself { " self" } else { "" };
    format!("{} => {target}{clause}{itself}", reference.text)
}

/// The references of the first provision of a sentence.
fn references(language: &str, sentence: &str) -> Vec<String> {
    let edition = read(&with_sentence(language, sentence)).edition;
    let provision = edition.provisions.first().unwrap_or_else(|| panic!("no provision: {sentence}"));
    provision.references.iter().map(written).collect()
}

fn check(language: &str, cases: &[(&str, &[&str])]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(sentence, wanted)| {
            let found = references(language, sentence);
            (found != *wanted).then(|| format!("{sentence}\n  wanted {wanted:?}\n  found  {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn english_references_are_found_and_near_misses_are_not() {
    check(
        "en",
        &[
            (
                "It shall conform to ISO 12100:2010, 6.2.",
                &["ISO 12100:2010, 6.2 => urn:iso:std:iso:12100 # 6.2"],
            ),
            (
                "It shall meet 6.2 of ISO 12100:2010.",
                &["6.2 of ISO 12100:2010 => urn:iso:std:iso:12100 # 6.2"],
            ),
            (
                "ISO 9001, Clause 4 and Annex A, shall apply.",
                &["ISO 9001, Clause 4 and Annex A => urn:iso:std:iso:9001 # Clause 4 and Annex A"],
            ),
            (
                "Clause 7 of IEC 60335-1:2020 shall apply.",
                &["Clause 7 of IEC 60335-1:2020 => urn:iec:std:iec:60335:-1 # 7"],
            ),
            (
                "Annex A of ISO 13857 shall apply.",
                &["Annex A of ISO 13857 => urn:iso:std:iso:13857 # Annex A"],
            ),
            (
                "It shall fit ISO 13857:2019, Table 3.",
                &["ISO 13857:2019, Table 3 => urn:iso:std:iso:13857 # Table 3"],
            ),
            ("It shall fit ISO 13857 (Clause 5).", &["ISO 13857 (Clause 5) => urn:iso:std:iso:13857 # 5"]),
            (
                "It shall fit ISO 13857:2019, 4.1 to 4.3.",
                &["ISO 13857:2019, 4.1 to 4.3 => urn:iso:std:iso:13857 # 4.1 to 4.3"],
            ),
            (
                "It shall fit <std><std-ref>ISO 712</std-ref>, 3.1</std>.",
                &["ISO 712, 3.1 => urn:iso:std:iso:712 # 3.1"],
            ),
            (
                "It shall fit <std><std-ref>ISO 712</std-ref></std>, 3.1.",
                &["ISO 712, 3.1 => urn:iso:std:iso:712 # 3.1"],
            ),
            (
                "It shall fit 3.1 of <std><std-ref>ISO 712</std-ref></std>.",
                &["3.1 of ISO 712 => urn:iso:std:iso:712 # 3.1"],
            ),
            (
                "ISO 3696, 3 samples and ISO 3310 sieves shall be used.",
                &["ISO 3696 => urn:iso:std:iso:3696", "ISO 3310 => urn:iso:std:iso:3310"],
            ),
            (
                "It shall conform to ISO 9001 and Clause 5.",
                &["ISO 9001 => urn:iso:std:iso:9001", "Clause 5 => s5"],
            ),
            ("It shall conform to ISO 9999-1:2020.", &["ISO 9999-1:2020 => urn:iso:std:iso:9999:-1 self"]),
            ("It shall conform to ISO 9999-1:2020, 4.2.", &["ISO 9999-1:2020, 4.2 => s4.2 self"]),
            (
                "It shall conform to ISO 9999-1:2012, 4.2.",
                &["ISO 9999-1:2012, 4.2 => urn:iso:std:iso:9999:-1 # 4.2"],
            ),
            ("It shall conform to this document.", &["this document => - self"]),
            (
                "Clause 5 of this International Standard shall apply.",
                &["Clause 5 of this International Standard => s5 self"],
            ),
            (
                "This part of ISO 9999 shall apply to lids.",
                &["This part of ISO 9999 => urn:iso:std:iso:9999 self"],
            ),
            ("The operator shall sign each document and this paper.", &[]),
            ("It shall fit, see 4.2.", &["4.2 => s4.2"]),
            ("It shall fit (see Clause 5).", &["Clause 5 => s5"]),
            (
                "It shall be tested in accordance with 4.2.1 and 4.3.",
                &["4.2.1 and 4.3 => s4.2.1", "4.2.1 and 4.3 => s4.3"],
            ),
            ("It shall be tested in accordance with C.2.", &["C.2 => sC.2"]),
            ("It shall withstand a force of 4.2 kN.", &[]),
            ("It shall increase from 4.2 to 4.3.", &[]),
            ("It shall comply with 4.2 V within 4.3 s.", &[]),
            ("The test under 4.2 Pa shall take 4.3 minutes.", &[]),
            ("It shall fit Annex C.", &["Annex C => aC"]),
            ("It shall fit annexes C and Z.", &["annexes C and Z => aC", "annexes C and Z => -"]),
            ("Table 3 shall apply.", &["Table 3 => t3"]),
            ("Tables 1 and 3 give what it shall carry.", &["Tables 1 and 3 => t1", "Tables 1 and 3 => t3"]),
            ("It shall carry what Table 3 and 4 samples show.", &["Table 3 => t3"]),
            ("It shall be as in Figure 2.", &["Figure 2 => g2"]),
            ("It shall be as in Fig. 2b.", &["Fig. 2b => g2"]),
            ("It shall satisfy Formula (4).", &["Formula (4) => s5"]),
            (
                "It shall satisfy Equations (4) and (5).",
                &["Equations (4) and (5) => s5", "Equations (4) and (5) => -"],
            ),
            (
                "Clauses 4.1 to 4.3 shall apply.",
                &["Clauses 4.1 to 4.3 => s4.1", "Clauses 4.1 to 4.3 => s4.2", "Clauses 4.1 to 4.3 => s4.3"],
            ),
            ("Item b) shall apply.", &["Item b) => s4.1"]),
            ("What b) above says shall apply.", &["b) above => s4.1"]),
            ("It shall a) be red, b) be dry and c) be shut.", &[]),
            ("4.2.1 b) shall apply.", &["4.2.1 b) => s4.2.1"]),
            ("The values of the table below shall apply.", &["table below => t1"]),
            ("The following table shall be filled in.", &["following table => t1"]),
            ("Table <xref rid='t3'>3</xref> shall apply.", &["Table 3 => t3"]),
            ("Table 9 shall apply.", &["Table 9 => -"]),
            ("Annex I of Directive 2006/42/EC shall apply.", &["Annex I => -"]),
            ("Table 3 of Annex C shall apply.", &["Table 3 => t3", "Annex C => aC"]),
            ("The annex, the section and the clause shall be short.", &[]),
            ("Section A-A shall be drawn.", &[]),
            ("It shall hold 3 items, 5 points and 2 figures.", &[]),
            ("The tables shall be 3 m long.", &[]),
            ("It shall be sent to ISO/TC 34 in RAL 9005 with IP 54 and 5 GB.", &[]),
            ("It shall be PISO 3696 or any of the ISO standards.", &[]),
            ("IT SHALL FIT ISO 3696.", &["ISO 3696 => urn:iso:std:iso:3696"]),
        ],
    );
}

#[test]
fn french_references_are_found_and_near_misses_are_not() {
    check(
        "fr",
        &[
            (
                "Le couvercle doit être conforme à l’ISO 12100:2010, 6.2.",
                &["ISO 12100:2010, 6.2 => urn:iso:std:iso:12100 # 6.2"],
            ),
            (
                "Le couvercle doit être conforme au 6.2 de l’ISO 12100:2010.",
                &["6.2 de l’ISO 12100:2010 => urn:iso:std:iso:12100 # 6.2"],
            ),
            (
                "L’Article 4 de l’ISO 9001 doit être appliqué.",
                &["Article 4 de l’ISO 9001 => urn:iso:std:iso:9001 # 4"],
            ),
            (
                "L’essai doit suivre l’ISO 9001, Annexe A.",
                &["ISO 9001, Annexe A => urn:iso:std:iso:9001 # Annexe A"],
            ),
            ("L’essai doit être réalisé conformément à 4.2.", &["4.2 => s4.2"]),
            ("Le couvercle doit être fermé, voir 5.", &["5 => s5"]),
            ("L’Annexe C doit être appliquée.", &["Annexe C => aC"]),
            ("Le Tableau 3 et la Figure 2 doivent être suivis.", &["Tableau 3 => t3", "Figure 2 => g2"]),
            ("Les Tableaux 1 et 3 doivent être suivis.", &["Tableaux 1 et 3 => t1", "Tableaux 1 et 3 => t3"]),
            ("L’équation (4) doit être vérifiée.", &["équation (4) => s5"]),
            ("Le présent document doit être disponible.", &["Le présent document => - self"]),
            (
                "L’Article 5 du présent document doit être appliqué.",
                &["Article 5 du présent document => s5 self"],
            ),
            ("Le point b) ci-dessus doit être suivi.", &["point b) => s4.1"]),
            ("Le tableau ci-dessous doit être rempli.", &["tableau ci-dessous => t1"]),
            ("La charge doit être de 4.2 kg.", &[]),
            ("Le document doit être signé.", &[]),
        ],
    );
}

#[test]
fn german_references_are_found_and_near_misses_are_not() {
    check(
        "de",
        &[
            (
                "Der Deckel muss ISO 12100:2010, 6.2, entsprechen.",
                &["ISO 12100:2010, 6.2 => urn:iso:std:iso:12100 # 6.2"],
            ),
            (
                "Der Deckel muss Abschnitt 4 von ISO 9001 entsprechen.",
                &["Abschnitt 4 von ISO 9001 => urn:iso:std:iso:9001 # 4"],
            ),
            (
                "Der Deckel muss 6.2 der DIN EN ISO 12100 entsprechen.",
                &["6.2 der DIN EN ISO 12100 => urn:din:std:din-en-iso:12100 # 6.2"],
            ),
            (
                "Der Deckel muss ISO 9001, Abschnitt 4 und Anhang A, entsprechen.",
                &["ISO 9001, Abschnitt 4 und Anhang A => urn:iso:std:iso:9001 # Abschnitt 4 und Anhang A"],
            ),
            ("Die Prüfung muss nach 4.2 erfolgen.", &["4.2 => s4.2"]),
            ("Die Prüfung muss gemäß Abschnitt 5 erfolgen.", &["Abschnitt 5 => s5"]),
            (
                "Die Anforderungen nach Anhang C und Tabelle 3 müssen erfüllt sein.",
                &["Anhang C und Tabelle 3 => aC", "Anhang C und Tabelle 3 => t3"],
            ),
            ("Anlage 1 muss beigefügt sein.", &["Anlage 1 => a1"]),
            ("Diese Norm muss verfügbar sein.", &["Diese Norm => - self"]),
            ("Abschnitt 5 dieser Norm muss erfüllt sein.", &["Abschnitt 5 dieser Norm => s5 self"]),
            (
                "Bild 2 und Gleichung (4) müssen passen.",
                &["Bild 2 und Gleichung (4) => g2", "Bild 2 und Gleichung (4) => s5"],
            ),
            ("Was b) oben sagt, muss gelten.", &["b) oben => s4.1"]),
            ("Die folgende Tabelle muss erfüllt sein.", &["folgende Tabelle => t1"]),
            ("Der Druck muss 4.2 bar betragen.", &[]),
            ("Die Norm muss nach 4.2 h vorliegen.", &[]),
            ("Anhang I der Maschinenrichtlinie muss erfüllt sein.", &["Anhang I => -"]),
        ],
    );
}

/// Which URN each has is the matter of the table of series; here the whole designation counts.
#[test]
fn series_of_many_publishers_are_cited_whole() {
    let mut wrong = Vec::new();
    for (cited, clause) in [
        ("OIML R 60-1", "5.4"),
        ("IHO S-44", "2.1"),
        ("JCGM 106:2012", "8.2"),
        ("ITU-T G.650.1", "5.1"),
        ("ETSI EN 300 328", "4.3"),
        ("ETSI TS 102 822-3-1", "5.2"),
        ("DIN EN ISO 4014:2011-06", "5.2"),
        ("RFC 8141", "Section 2.3"),
        ("IEEE Std 754-2019", "Clause 5"),
        ("OGC 10-100r3", "7.2"),
        ("CISPR 11", "Annex A"),
        ("OIML D 28", "3"),
        ("EN ISO 13849-1", "7.2"),
        ("NF EN 197-1", "7.2"),
        ("ASTM D1234-05", "7.2"),
        ("IEC TS 62443-1-1", "7.2"),
        ("ISO/IEC Guide 51", "7.2"),
        ("ISO 105-C12:1995", "7.2"),
        ("ISO 9001:2015/Amd 1:2024", "7.2"),
        ("NIST SP 800-53", "7.2"),
        ("BS EN 1990", "7.2"),
        ("ÖNORM B 2110", "7.2"),
    ] {
        let number = clause.trim_start_matches("Section ").trim_start_matches("Clause ");
        let found = references("en", &format!("It shall conform to {cited}, {clause}."));
        let whole = |one: &String| {
            one.starts_with(&format!("{cited}, {clause} => urn:")) && one.ends_with(&format!(" # {number}"))
        };
        if found.len() != 1 || !whole(&found[0]) {
            wrong.push(format!("{cited}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn targets(body: &str) -> Vec<Option<String>> {
    let read = read(&document(&format!("<sec id='s4'><label>4</label><title>Design</title>{body}</sec>")));
    let references = read.edition.provisions.iter().flat_map(|provision| provision.references.iter());
    let part = |reference: &Reference| match &reference.target {
        Some(ReferenceTarget::Part(id)) => Some(id.clone()),
        _ => None,
    };
    references.map(part).collect()
}

#[test]
fn a_table_or_figure_that_goes_on_in_another_has_one_number_whose_target_is_the_first() {
    let table = |id: &str, label: &str, title: &str| {
        format!(
            "<table-wrap id='{id}'><label>{label}</label><caption><title>{title}</title></caption><table><tr><td>lid</td></tr></table></table-wrap>"
        )
    };
    let figure = |id: &str, label: &str, title: &str| {
        format!(
            "<fig id='{id}'><label>{label}</label><caption><title>{title}</title></caption><graphic id='g{id}'/></fig>"
        )
    };
    let first = Some("t1".to_owned());
    for (label, title, target) in [
        ("Table 1 (continued)", "Sizes", &first),
        ("Table 1 <italic>(continued)</italic>", "Sizes", &first),
        ("Table 1 continued", "Sizes", &first),
        ("Table 1 (concluded)", "Sizes", &first),
        ("Table 1", "Sizes (continued)", &first),
        ("Table 1", "Sizes — continued", &first),
        ("Table 1", "Sizes", &first),
        ("Tableau 1 (suite)", "Sizes", &first),
        ("Tabelle 1 (fortgesetzt)", "Sizes", &first),
        // Another table that has the number by mistake.
        ("Table 1", "Weights", &None),
    ] {
        let body = format!(
            "<p>The lid shall be that of Table 1.</p>{}{}",
            table("t1", "Table 1", "Sizes"),
            table("t1b", label, title)
        );
        assert_eq!(targets(&body), std::slice::from_ref(target), "{label} {title}");
    }
    let body = format!(
        "<p>The lid shall be that of Figure 1.</p>{}{}{}",
        figure("f1", "Figure 1", "Lid"),
        figure("f1b", "Figure 1 (continued)", "Lid"),
        figure("f1c", "Figure 1 (concluded)", "Lid")
    );
    assert_eq!(targets(&body), [Some("gf1".to_owned())]);
}

#[test]
fn pictures_of_a_figure_have_their_own_labels_captions_and_references() {
    let picture = |id: &str, label: &str, title: &str| {
        format!(
            "<graphic id='{id}' xlink:href='{id}.png'><label>{label}</label><caption><title>{title}</title></caption></graphic>"
        )
    };
    for (one, two) in [("a)", "b)"), ("Figure 1 a)", "Figure 1 b)"), ("(a)", "(b)")] {
        let body = format!(
            "<p>The lid shall be that of Figure 1 b). Each stand shall be that of Figure 1. Pins shall be those of <xref ref-type='fig' rid='g2'/>.</p>\
             <fig id='f1'><label>Figure 1</label><caption><title>Stand</title></caption>{}{}</fig>",
            picture("g1", one, "Top"),
            picture("g2", two, "Side")
        );
        assert_eq!(targets(&body), [Some("g2".into()), Some("g1".into()), Some("g2".into())], "{one}");
        let read = read(&document(&format!("<sec id='s4'>{body}</sec>")));
        let graphics: Vec<_> = read
            .edition
            .graphics
            .iter()
            .map(|g| (g.label.as_deref(), g.caption.as_deref(), g.figure_id.as_deref()))
            .collect();
        assert_eq!(graphics, [(Some(one), Some("Top"), Some("f1")), (Some(two), Some("Side"), Some("f1"))]);
        let text = &read.edition.sections[0].text;
        assert!(text.contains(&format!("Figure 1 — Stand\n\n{one} Top\n\n{two} Side")), "{text}");
        assert!(one != "a)" || text.contains("those of Figure 1 b)."), "{text}");
    }
    // One picture has the label and caption of its figure, one without a figure its own.
    let read = read(&document(
        "<sec id='s4'><fig id='f'><label>Figure 1</label><caption><title>Lid</title></caption><graphic/></fig>\
         <graphic><label>Sketch 3</label><caption><title>Lid drawn</title></caption></graphic></sec>",
    ));
    let graphics: Vec<_> =
        read.edition.graphics.iter().map(|g| (g.label.as_deref(), g.caption.as_deref())).collect();
    assert_eq!(graphics, [(Some("Figure 1"), Some("Lid")), (Some("Sketch 3"), Some("Lid drawn"))]);
    assert_eq!(read.edition.sections[0].text, "Figure 1 — Lid\n\nSketch 3 — Lid drawn");
}
