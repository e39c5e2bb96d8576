//! Tables as grids: heads, spans, notes, values of cells, bounds.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use norma_model::table::{Cell, CellQuantity, Grid, TableContent};
use norma_model::{Comparator, Edition, Table, UnitOrigin};
use norma_sts::{ExtractionLimits, ExtractionOptions, extract};

fn edition_with(body: &str, limits: ExtractionLimits) -> Edition {
    let source = format!(
        "<standard xml:lang='en'><front><std-meta><std-ident><originator>NSB</originator><doc-number>77</doc-number>\
         <edition>1</edition></std-ident><content-language>en</content-language><std-ref>NSB 77:2020</std-ref></std-meta></front>\
         <body><sec id='s'><label>4</label><title>Hinges</title>{body}</sec></body></standard>"
    );
    extract(source.as_bytes(), &ExtractionOptions { limits, ..ExtractionOptions::default() }).unwrap().edition
}

fn edition(body: &str) -> Edition {
    edition_with(body, ExtractionLimits::default())
}

fn only(edition: &Edition) -> (&Table, &Grid) {
    let [table] = &edition.tables[..] else { panic!("{} tables", edition.tables.len()) };
    (table, table.grid().unwrap())
}

fn heads(grid: &Grid) -> Vec<String> {
    grid.columns.iter().map(|column| column.heads.join("|")).collect()
}

/// Text, column, columns and rows of each cell.
fn cells(grid: &Grid) -> Vec<Vec<(&str, u32, u32, u32)>> {
    let cell = |cell: &'_ Cell| (cell.column, cell.columns, cell.rows);
    grid.rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|one| {
                    let (column, columns, rows) = cell(one);
                    (&*one.text, column, columns, rows)
                })
                .collect()
        })
        .collect()
}

/// A value as it is written in these tests: comparator, value, upper end or tolerance, unit, origin of the
/// unit.
fn value(cell: &Cell) -> String {
    let Some(quantity) = cell.quantity.as_deref() else { return "-".to_owned() };
    let CellQuantity { comparator, value, upper, tolerance, unit } = quantity;
    let sign = match comparator {
        Comparator::Equal | Comparator::Between => "",
        Comparator::AtLeast => ">=",
        Comparator::AtMost => "<=",
        Comparator::LessThan => "<",
        Comparator::MoreThan => ">",
        Comparator::PlusMinus => "+-",
        Comparator::About | Comparator::Nearest => "~",
    };
    let upper = upper.as_ref().map(|upper| format!("..{upper}")).unwrap_or_default();
    let tolerance = tolerance.as_ref().map(|tolerance| format!("±{tolerance}")).unwrap_or_default();
    let unit = unit.as_ref().map(|(unit, from)| {
        let from = match from {
            UnitOrigin::Cell => "cell",
            UnitOrigin::Column => "column",
            UnitOrigin::Row => "row",
            UnitOrigin::Table => "table",
        };
        format!(" {} {from}", unit.ucum.as_deref().unwrap_or(&unit.text))
    });
    format!("{sign}{value}{upper}{tolerance}{}", unit.unwrap_or_default())
}

/// The values of the cells of a table with these heads, row by row.
fn values(heads: &[&str], rows: &[&[&str]]) -> Vec<Vec<String>> {
    let line = |cells: &[&str], name: &str| {
        let cells: String = cells.iter().map(|cell| format!("<{name}>{cell}</{name}>")).collect();
        format!("<tr>{cells}</tr>")
    };
    let rows: String = rows.iter().map(|row| line(row, "td")).collect();
    let table = format!("<table><thead>{}</thead><tbody>{rows}</tbody></table>", line(heads, "th"));
    let edition = edition(&format!("<table-wrap id='t'><label>Table 1</label>{table}</table-wrap>"));
    only(&edition).1.rows.iter().map(|row| row.iter().map(value).collect()).collect()
}

#[test]
fn heads_notes_footnotes_and_provisions_are_where_they_are_printed() {
    let edition = edition(
        "<p>The hinge shall fit <xref rid='t'>Table 1</xref>.</p>
         <table-wrap id='t'><label>Table 1</label><caption><title>Pins</title></caption>
         <table><thead><tr><th rowspan='2'>Pin</th><th colspan='2'>Length<xref ref-type='fn' rid='f'><sup>a</sup></xref></th></tr>
         <tr><th>least</th><th>most</th></tr></thead>
         <tbody><tr><th scope='row'>Steel</th><td>4</td><td>9</td></tr>
         <tr><th scope='row'>Brass</th><td colspan='2'>The pin shall be greased.</td></tr></tbody></table>
         <table-wrap-foot><non-normative-note><label>NOTE</label><p>Pins are sold in tens.</p></non-normative-note>
         <fn id='f'><label>a</label><p>Without the head.</p></fn></table-wrap-foot></table-wrap>",
    );
    let (table, grid) = only(&edition);
    assert_eq!((table.label.as_deref(), table.number.as_deref()), (Some("Table 1"), Some("1")));
    assert_eq!((table.caption.as_deref(), grid.has_derived_heads), (Some("Pins"), false));
    assert_eq!(heads(grid), ["Pin", "Length^a|least", "Length^a|most"]);
    assert_eq!(grid.columns[2].footnotes, ["a".into()]);
    assert_eq!(cells(grid)[0], [("Steel", 0, 1, 1), ("4", 1, 1, 1), ("9", 2, 1, 1)]);
    assert_eq!(cells(grid)[1], [("Brass", 0, 1, 1), ("The pin shall be greased.", 1, 2, 1)]);
    assert!(grid.rows[0][0].is_head && !grid.rows[0][1].is_head);
    assert_eq!(grid.notes, ["NOTE Pins are sold in tens.".into()]);
    assert_eq!(
        (grid.footnotes[0].mark.as_deref(), &*grid.footnotes[0].text),
        (Some("a"), "Without the head.")
    );
    assert_eq!(&*edition.provisions[1].text, "The pin shall be greased.");
    assert_eq!(&*grid.rows[1][1].provisions, [1]);
}

#[test]
fn a_cals_table_has_the_grid_of_the_same_table_in_xhtml() {
    let xhtml = edition(
        "<table-wrap><table><thead><tr><th>A</th><th colspan='2'>B</th></tr></thead><tbody>
         <tr><td rowspan='2'>x</td><td>1</td><td>2</td></tr><tr><td colspan='2'>3</td></tr></tbody></table></table-wrap>",
    );
    let cals = edition(
        "<table-wrap><table><tgroup cols='3'><colspec colname='a'/><colspec colname='b'/><colspec colname='c'/>
         <thead><row><entry>A</entry><entry namest='b' nameend='c'>B</entry></row></thead><tbody>
         <row><entry morerows='1'>x</entry><entry>1</entry><entry>2</entry></row>
         <row><entry namest='b' nameend='c'>3</entry></row></tbody></tgroup></table></table-wrap>",
    );
    assert_eq!(only(&xhtml).1, only(&cals).1);
    assert_eq!(cells(only(&cals).1)[1], [("3", 1, 2, 1)]);
}

#[test]
fn heads_that_the_source_does_not_mark_are_derived_from_the_form_of_the_first_row_or_not_at_all() {
    let derived = |rows: &str| {
        let edition = edition(&format!("<table-wrap><table><tbody>{rows}</tbody></table></table-wrap>"));
        let (_, grid) = only(&edition);
        (heads(grid).concat(), grid.has_derived_heads, grid.rows.len())
    };
    let bold = "<tr><td><bold>Lid</bold></td><td><bold>Seal</bold></td></tr>";
    assert_eq!(derived(&format!("{bold}<tr><td>flat</td><td>cork</td></tr>")), ("LidSeal".into(), true, 1));
    assert_eq!(derived(&format!("{bold}{bold}")), (String::new(), false, 2));
    let numbers = "<tr><td>Lid</td><td>Mass</td></tr><tr><td>flat</td><td>4 kg</td></tr><tr><td>deep</td><td>7 kg</td></tr>";
    assert_eq!(derived(numbers), ("LidMass".into(), true, 2));
    assert_eq!(
        derived("<tr><td>Lid</td><td>4</td></tr><tr><td>Seal</td><td>7</td></tr>"),
        (String::new(), false, 2)
    );
    assert_eq!(
        derived("<tr><td>a</td><td>cork</td></tr><tr><td>b</td><td>wood</td></tr>"),
        (String::new(), false, 2)
    );
    // A head that reaches into the second row makes it a row of heads.
    let two = "<tr><td rowspan='2'>Lid</td><td colspan='2'>Mass</td></tr><tr><td>dry</td><td>wet</td></tr>
               <tr><td>flat</td><td>4</td><td>5</td></tr><tr><td>deep</td><td>6</td><td>7</td></tr>";
    assert_eq!(derived(two), ("LidMass|dryMass|wet".into(), true, 2));
}

#[test]
fn a_unit_comes_from_the_cell_the_column_the_row_or_the_table() {
    let rows: &[&[&str]] = &[&["flat", "≥ 40", "12,5 to 14", "3 kg", "M10"]];
    assert_eq!(
        values(&["Lid", "Width (mm)", "Length, in cm", "Mass", "Thread"], rows),
        [["-", ">=40 mm column", "12.5..14 cm column", "3 kg cell", "-"]]
    );
    let rows: &[&[&str]] = &[&["Force", "N", "20 ± 2"], &["Speed", "m/s", "max. 5"], &["Colour", "", "red"]];
    assert_eq!(
        values(&["Quantity", "Unit", "Value"], rows),
        [["-", "-", "20±2 N row"], ["-", "-", "<=5 m/s row"], ["-", "-", "-"]]
    );
    let rows: &[&[&str]] =
        &[&["Temperature, °C", "−18"], &["Time (min)", "10 or more"], &["Number of lids", "3"]];
    assert_eq!(values(&["", "Value"], rows), [["-", "-18 Cel row"], ["-", ">=10 min row"], ["-", "3"]]);
    let rows: &[&[&str]] = &[&["Fat, g/100 g", "1,5"], &["Diameter, d", "8"]];
    assert_eq!(values(&["", "Value"], rows), [["-", "1.5 g/(100.g) row"], ["-", "8"]]);
    let edition = edition(
        "<table-wrap><caption><title>Hinges</title></caption><p>Dimensions in millimetres</p><table><thead><tr><th>Pin</th>
         <th>Bore</th><th>Clause</th></tr></thead><tbody><tr><td>1</td><td>6 - 8</td><td>5.2</td></tr></tbody></table></table-wrap>",
    );
    let row: Vec<String> = only(&edition).1.rows[0].iter().map(value).collect();
    assert_eq!(row, ["-", "6..8 mm table", "-"]);
}

#[test]
fn heads_name_units_as_words_as_products_and_by_what_they_measure() {
    for (heads, row, expected) in [
        (
            ["Lid", "Torque N · m", "Inertia kg m^2"],
            ["flat", "5", "0,02"],
            ["-", "5 N.m column", "0.02 kg.m2 column"],
        ),
        (
            ["Lid", "Conductivity W/(m·K)", "Heat (J/(kg·K))"],
            ["flat", "0,04", "900"],
            ["-", "0.04 W/(m.K) column", "900 J/(kg.K) column"],
        ),
        (["Mass m", "Height h", "Thickness s"], ["5", "20", "3"], ["-", "20", "3"]),
        (
            ["Mass g", "Time s", "Voltage V"],
            ["5", "20", "230"],
            ["5 g column", "20 s column", "230 V column"],
        ),
        (
            ["Share (percentage)", "Time t/s", "Speed m/s"],
            ["5", "20", "3"],
            ["5 % column", "20 s column", "3 m/s column"],
        ),
        (
            ["Over", "Up to and including", "Limit dB(µV/m)"],
            ["3", "6", "40"],
            ["-", "<=6", "40 dB(µV/m) column"],
        ),
        (["Number of lids", "Price group", "Clauses"], ["7", "8", "5.1 to 5.3"], ["7", "-", "-"]),
        (
            ["Code", "Share % (m/m)", "Width, mm, max."],
            ["0A", "5", "7"],
            ["-", "5 % column", "<=7 mm column"],
        ),
        (
            ["Speed r/min", "Band,MHz", "Resistance"],
            ["60", "30 to 230", "y_1 = R = 5 \u{2126}"],
            ["60 1/min column", "30..230 MHz column", "5 Ohm cell"],
        ),
        (
            ["Force in kilonewtons", "Value", "Sum"],
            ["5", "1 au = 7 m", "a = 5 m b = 6"],
            ["5 kN column", "-", "-"],
        ),
        (["Force in kilonewtons", "Year", "Bytes"], ["5", "1998", "2"], ["5 kN column", "-", "2"]),
    ] {
        assert_eq!(values(&heads, &[&row]), [expected], "{heads:?}");
    }
    // Texts below “Unit”, and words behind numbers that the column repeats, are units without a code.
    let rows: &[&[&str]] =
        &[&["Hardness", "IRHD", "60 ± 5"], &["Set", "%", "max. 25"], &["Year", "", "1998"]];
    assert_eq!(
        values(&["Property", "Unit", "Value"], rows),
        [["-", "-", "60±5 IRHD row"], ["-", "-", "<=25 % row"], ["-", "-", "-"]]
    );
    let rows: &[&[&str]] = &[&["a", "36,0 wax drops"], &["b", "0,5 wax drops"], &["c", "4 wax drops, cold"]];
    assert_eq!(
        values(&["Lid", "Value"], rows).concat(),
        ["-", "36 wax drops cell", "-", "0.5 wax drops cell", "-", "-"]
    );
}

#[test]
fn a_unit_over_numbers_in_heads_is_theirs_and_that_of_the_table_is_of_lengths_alone() {
    let share = edition(
        "<table-wrap><table><thead><tr><th rowspan='2'>Lids</th><th colspan='2'>Share in %</th></tr><tr><th>90</th><th>95</th></tr></thead>
         <tbody><tr><td>2</td><td>6,3</td><td>12,7</td></tr></tbody></table></table-wrap>",
    );
    let row: Vec<String> = only(&share).1.rows[0].iter().map(value).collect();
    assert_eq!(row, ["-", "6.3", "12.7"]);
    let lengths = edition(
        "<table-wrap><table><thead><tr><th colspan='4'>Dimensions in millimetres</th></tr><tr><th>d</th><th>Length</th><th>Mass</th>
         <th>Number of pins</th></tr></thead><tbody><tr><td>8</td><td>20</td><td>3</td><td>2</td></tr></tbody></table></table-wrap>",
    );
    let row: Vec<String> = only(&lengths).1.rows[0].iter().map(value).collect();
    assert_eq!(row, ["8 mm table", "20 mm table", "3", "2"]);
}

#[test]
fn rows_of_units_and_rows_that_part_a_spanning_head_are_heads() {
    let read = |rows: &str| {
        let edition = edition(&format!("<table-wrap><table>{rows}</table></table-wrap>"));
        let (_, grid) = only(&edition);
        (heads(grid).concat(), grid.has_derived_heads, grid.rows.len())
    };
    let units = "<thead><tr><th>Lid</th><th>Mass</th></tr></thead><tr><td/><td>kg</td></tr><tr><td>flat</td><td>4</td></tr>";
    assert_eq!(read(units), ("LidMass|kg".into(), true, 1));
    let parts = "<thead><tr><th>Lid</th><th colspan='2'>Mass</th></tr></thead><tr><td>k</td><td>dry (kg)</td><td>wet (kg)</td></tr>
                 <tr><td>1</td><td>4</td><td>5</td></tr>";
    assert_eq!(read(parts), ("Lid|kMass|dry (kg)Mass|wet (kg)".into(), true, 1));
    // A row of data below a spanning head remains one.
    let data = "<thead><tr><th>Lid</th><th colspan='2'>Mass</th></tr></thead><tr><td>none</td><td>not given</td><td>not given</td></tr>
                <tr><td>flat</td><td>4</td><td>5</td></tr><tr><td>deep</td><td>4</td><td>5</td></tr>";
    assert_eq!(read(data), ("LidMassMass".into(), false, 3));
}

#[test]
fn a_cell_that_is_no_single_value_has_none() {
    let rows: &[&[&str]] = &[
        &["1", "4 mm × 5 mm"],
        &["2", "3 per lid, see 5.2"],
        &["3", "2019"],
        &["4", "none"],
        &["5", "1/A"],
        &["6", "7"],
    ];
    let found: Vec<String> = values(&["No.", "Value"], rows).concat();
    assert_eq!(found, ["-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "7"]);
    // Letters that are units elsewhere are names of columns here, and `min` is a limit.
    let classes: &[&[&str]] = &[&["x", "1", "2", "3"]];
    assert_eq!(values(&["Lid", "A", "Class N", "min"], classes), [["-", "1", "2", ">=3"]]);
}

#[test]
fn long_spans_end_with_the_table_and_tables_beyond_the_limit_are_listed_without_cells() {
    let edition = edition(
        "<table-wrap><table><tr><td rowspan='65000' colspan='65000'>a</td></tr><tr><td rowspan='0'>b</td><td>c</td></tr>
         <tr><td>d</td></tr></table></table-wrap>",
    );
    let (_, grid) = only(&edition);
    assert_eq!(grid.rows.len(), 3);
    assert!(grid.rows.iter().enumerate().all(|(at, row)| row.iter().all(|c| c.rows as usize <= 3 - at)));
    let many = "<tr><td>lid</td><td>seal</td></tr>".repeat(30);
    let body = format!(
        "<table-wrap id='a'><table>{many}</table></table-wrap><table-wrap id='b'><table>{many}</table></table-wrap>"
    );
    let edition =
        edition_with(&body, ExtractionLimits { table_bytes: 10_000, ..ExtractionLimits::default() });
    assert!(edition.tables[0].grid().is_some());
    assert_eq!(edition.tables[1].content, TableContent::Omitted { rows: 30, columns: 2, cells: 60 });
    assert_eq!(edition.sections[0].text.matches("seal").count(), 60);
    assert!(edition.tables[1].digest.is_some());
}

#[test]
fn a_table_in_a_cell_is_text_of_the_cell_and_two_tables_of_one_wrap_follow_each_other() {
    let edition = edition(
        "<table-wrap><table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>
         <table><tr><td>d</td></tr></table></table-wrap>",
    );
    let (_, grid) = only(&edition);
    assert_eq!(cells(grid), vec![vec![("a", 0, 1, 1), ("b c", 1, 1, 1)], vec![("d", 0, 1, 1)]]);
}

#[test]
fn a_part_of_a_group_says_its_group() {
    let edition = edition(
        "<table-wrap-group id='g'><label>Table 2</label><caption><title>Lids</title></caption>
         <table-wrap id='g1'><label>a)</label><table><tr><td>flat</td></tr></table></table-wrap>
         <table-wrap id='g2'><label>b)</label><table><tr><td>The lid shall be deep.</td></tr></table></table-wrap></table-wrap-group>",
    );
    let group = edition.tables[1].group.as_ref().unwrap();
    assert_eq!(
        (&*group.id, group.number.as_deref(), group.caption.as_deref()),
        ("g", Some("2"), Some("Lids"))
    );
    assert_eq!(edition.tables[1].number.as_deref(), Some("2B"));
    assert_eq!(edition.provisions.len(), 1);
    assert_eq!(&*edition.tables[1].grid().unwrap().rows[0][0].provisions, [0]);
}

#[test]
fn fifty_thousand_cells_are_data_or_in_the_text_alone() {
    let row: String = (0..10).map(|at| format!("<td>lid{at}</td>")).collect();
    let body = format!("<table-wrap><table>{}</table></table-wrap>", format!("<tr>{row}</tr>").repeat(5_000));
    let whole = edition(&body);
    let (_, grid) = only(&whole);
    assert_eq!((grid.rows.len(), grid.rows.iter().map(Vec::len).sum::<usize>()), (5_000, 50_000));
    let cut = edition_with(&body, ExtractionLimits { table_bytes: 1 << 20, ..ExtractionLimits::default() });
    assert_eq!(cut.tables[0].content, TableContent::Omitted { rows: 5_000, columns: 10, cells: 50_000 });
    assert_eq!(cut.sections[0].text, whole.sections[0].text);
}

#[test]
fn overlapping_spans_and_ragged_rows_keep_each_cell_once_in_its_own_columns() {
    // `c` reaches down through both rows below; `f` goes over it, and leaves it where it is.
    let overlap = edition(
        "<table-wrap><table><tbody><tr><td>a</td><td>b</td><td rowspan='3'>c</td></tr><tr><td>e</td><td colspan='2'>f</td></tr>
         <tr><td>g</td><td>h</td><td>i</td></tr></tbody></table></table-wrap>",
    );
    let lines = cells(only(&overlap).1);
    assert_eq!(lines[1], [("e", 0, 1, 1), ("f", 1, 2, 1)]);
    assert_eq!(lines[2], [("g", 0, 1, 1), ("h", 1, 1, 1), ("i", 3, 1, 1)]);
    let ragged = edition(
        "<table-wrap><table><tr><td>a</td></tr><tr/><tr><td>b</td><td>c</td><td>d</td></tr><tr><td/><td>e</td></tr></table></table-wrap>",
    );
    let (_, grid) = only(&ragged);
    assert_eq!(grid.columns.len(), 3);
    assert_eq!(cells(grid).concat().iter().map(|cell| cell.0).collect::<String>(), "abcde");
    assert_eq!(grid.rows.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 3, 2]);
}

#[test]
fn tables_without_rows_have_no_columns_and_pictures_and_formulae_are_in_their_cells() {
    for empty in ["<table/>", "<table><tbody/></table>", "<table><tgroup><tbody/></tgroup></table>", ""] {
        let edition = edition(&format!("<table-wrap id='t'><label>Table 1</label>{empty}</table-wrap>"));
        let (table, grid) = only(&edition);
        assert_eq!((grid.columns.len(), grid.rows.len(), table.digest.is_none()), (0, 0, true), "{empty}");
    }
    let edition = edition(
        "<table-wrap><table><tr><td>a<inline-graphic xlink:href='lid.png' xmlns:xlink='http://www.w3.org/1999/xlink'/></td>
         <td><inline-formula><mml:math xmlns:mml='http://www.w3.org/1998/Math/MathML'><mml:msup><mml:mi>m</mml:mi><mml:mn>2</mml:mn>
         </mml:msup></mml:math></inline-formula></td></tr></table></table-wrap>",
    );
    let (_, grid) = only(&edition);
    assert_eq!(&*grid.rows[0][0].graphics, [0]);
    assert_eq!(edition.graphics[0].reference, "lid.png");
    assert_eq!((&*grid.rows[0][1].text, &*grid.rows[0][1].graphics), ("m^2", &[][..]));
}

#[test]
fn paragraphs_of_a_caption_are_notes_of_the_table_and_state_its_unit() {
    let rows = "<tbody><tr><td>A</td><td>8</td></tr><tr><td>B</td><td>9</td></tr></tbody>";
    let head = "<thead><tr><th>Size</th><th>Bore</th></tr></thead>";
    let cals = "<o:table xmlns:o='urn:x'><o:tgroup cols='2'><o:thead><o:row><o:entry>Size</o:entry><o:entry>Bore</o:entry></o:row></o:thead>\
        <o:tbody><o:row><o:entry>A</o:entry><o:entry>8</o:entry></o:row></o:tbody></o:tgroup></o:table>";
    let html = format!("<table>{head}{rows}</table>");
    for (caption, table, notes) in [
        (
            "<caption><title>Sizes</title><p>Dimensions in millimetres</p></caption>",
            &*html,
            "Dimensions in millimetres",
        ),
        (
            "<caption><title>Sizes</title><p>Dimensions in millimetres</p></caption>",
            cals,
            "Dimensions in millimetres",
        ),
        (
            "<caption><p>Sizes</p><p>Dimensions in millimetres</p></caption>",
            &html,
            "Dimensions in millimetres",
        ),
        (
            "<caption><title>Sizes</title><p>Measured dry.</p><p>Dimensions in millimetres</p></caption>",
            &html,
            "Measured dry.|Dimensions in millimetres",
        ),
    ] {
        let edition =
            edition(&format!("<table-wrap id='t'><label>Table 1</label>{caption}{table}</table-wrap>"));
        let (table, grid) = only(&edition);
        assert_eq!(table.caption.as_deref(), Some("Sizes"), "{caption}");
        assert_eq!(grid.notes.join("|"), notes, "{caption}");
        let quantity = grid.rows[0][1].quantity.as_ref().unwrap();
        let (unit, origin) = quantity.unit.as_ref().unwrap();
        assert_eq!((unit.ucum.as_deref(), origin), (Some("mm"), &UnitOrigin::Table), "{caption}");
        for words in notes.split('|') {
            assert_eq!(edition.sections[0].text.matches(words).count(), 1, "{}", edition.sections[0].text);
        }
    }
}

#[test]
fn a_title_or_caption_within_the_table_is_its_caption() {
    let cals = |title: &str| {
        format!(
            "<o:table xmlns:o='urn:x'>{title}<o:tgroup cols='1'><o:tbody><o:row><o:entry>a</o:entry></o:row></o:tbody></o:tgroup></o:table>"
        )
    };
    for table in [
        cals("<o:title>Sizes of pins</o:title>"),
        "<table><caption>Sizes of pins</caption><tr><td>a</td></tr></table>".to_owned(),
        format!(
            "<alternatives>{}<graphic/></alternatives>",
            "<table><caption><title>Sizes of pins</title></caption><tr><td>a</td></tr></table>"
        ),
    ] {
        let edition = edition(&format!("<table-wrap id='t'><label>Table 1</label>{table}</table-wrap>"));
        assert_eq!(only(&edition).0.caption.as_deref(), Some("Sizes of pins"), "{table}");
        assert_eq!(edition.sections[0].text, "4 Hinges\n\nTable 1 — Sizes of pins\n\na", "{table}");
    }
    // The caption of the whole is not taken from a table within it.
    let edition = edition(&format!(
        "<table-wrap id='t'><label>Table 1</label><caption><title>All</title></caption>{}</table-wrap>",
        cals("<o:title>Some</o:title>")
    ));
    assert_eq!(only(&edition).0.caption.as_deref(), Some("All"));
    assert!(edition.sections[0].text.contains("Some"));
}
