//! Packages as operating systems and programs make them: hidden files, separators, bytes before an
//! archive, pictures shared by languages.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::io::Write;
use std::path::Path;

use norma_ingest::{DocumentReport, IngestLimits, IngestVerdict, check};
use norma_settings::Layers;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0";

/// A small standard with one graphic.
fn standard(number: u32, text: &str, href: &str) -> String {
    format!(
        "<standard xmlns:xlink='http://www.w3.org/1999/xlink'><front><std-meta><title-wrap><main>Pegs</main>\
         <full>Pegs</full></title-wrap><std-ident><originator>NSB</originator><doc-type>IS</doc-type>\
         <doc-number>{number}</doc-number><edition>1</edition></std-ident><content-language>en</content-language>\
         <std-ref type='dated'>NSB {number}:2020</std-ref></std-meta></front><body><sec id='s'><label>1</label>\
         <title>Pegs</title><p>{text}</p><fig id='f'><graphic xlink:href='{href}'/></fig></sec></body></standard>"
    )
}

/// A folder with these files in it.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

fn limits() -> IngestLimits {
    IngestLimits::new(&Layers::default().settings().unwrap().ingest)
}

fn checked(path: &Path, limits: &IngestLimits) -> Vec<DocumentReport> {
    let mut reports = Vec::new();
    check(vec![path.to_owned()], None, limits, |report| reports.push(report));
    reports
}

fn refusal(reports: &[DocumentReport]) -> String {
    match reports {
        [DocumentReport { verdict: IngestVerdict::Refused(refusal), .. }] => refusal.to_string(),
        other => panic!("not one refusal but {other:?}"),
    }
}

/// A zip archive with these files in it.
fn archive(path: &Path, files: &[(&str, &[u8])]) {
    let mut writer = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, bytes) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn what_operating_systems_put_into_a_package_is_passed_over_in_silence() {
    let xml = standard(1, "A peg shall hold.", "fig.png");
    let files: [(&str, &[u8]); 9] = [
        ("doc/document.xml", xml.as_bytes()),
        ("doc/fig.png", PNG),
        ("doc/._document.xml", b"\0\x05\x16\x07"),
        ("doc/.DS_Store", b"x"),
        ("doc/Thumbs.db", b"x"),
        ("doc/THUMBS.DB", b"x"),
        ("__MACOSX/doc/._document.xml", b"\0\x05\x16\x07"),
        ("__MACOSX/doc/._inner.zip", b"x"),
        (".backup/document.xml", b"<standard><fro"),
    ];
    let folder = folder(&files);
    let packed = tempfile::tempdir().unwrap();
    let packed = packed.path().join("all.zip");
    std::fs::create_dir_all(packed.parent().unwrap()).unwrap();
    archive(&packed, &files);
    for source in [folder.path(), &packed] {
        let reports = checked(source, &limits());
        let [DocumentReport { verdict: IngestVerdict::Created, diagnostics, tally, .. }] = &reports[..]
        else {
            panic!("{reports:?}")
        };
        assert_eq!((diagnostics.len(), tally.available), (0, 1), "{diagnostics:?}");
    }
}

#[test]
fn an_archive_is_read_with_backslashes_in_its_names_and_with_something_before_it() {
    let xml = standard(1, "A peg shall hold.", "images/fig.png");
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("windows.zip");
    archive(&packed, &[("doc\\document.xml", xml.as_bytes()), ("doc\\images\\fig.png", PNG)]);
    let prefixed = folder.path().join("setup.exe");
    let bytes = [b"MZ a program that unpacks itself".to_vec(), std::fs::read(&packed).unwrap()].concat();
    std::fs::write(&prefixed, bytes).unwrap();
    for source in [&packed, &prefixed] {
        let reports = checked(source, &limits());
        let [DocumentReport { verdict: IngestVerdict::Created, document, tally, .. }] = &reports[..] else {
            panic!("{reports:?}")
        };
        assert!(document.ends_with("doc/document.xml"), "{document:?}");
        assert_eq!(tally.available, 1);
    }
    archive(&packed, &[("..\\document.xml", xml.as_bytes())]);
    assert!(refusal(&checked(&packed, &limits())).contains("leads out of the archive"));
}

#[test]
fn a_refused_package_has_its_true_reason() {
    let folder =
        folder(&[("a.zip", b"<html>not found</html>"), ("b.tar.gz", b"\x1f\x8b\x08"), ("c.7z", b"7z")]);
    for name in ["a.zip", "b.tar.gz", "c.7z"] {
        let refusal = refusal(&checked(&folder.path().join(name), &limits()));
        assert!(refusal.contains("not a zip archive"), "{name}: {refusal}");
    }
    let packed = folder.path().join("colon.zip");
    archive(&packed, &[("C:fig.png", PNG)]);
    let refusal = refusal(&checked(&packed, &limits()));
    assert!(refusal.contains("has a character that the name of a file must not have"), "{refusal}");
}

#[test]
fn a_picture_above_several_languages_is_found_by_its_name() {
    let [en, fr] = [1, 2].map(|number| standard(number, "A peg shall hold.", "fig.png"));
    let folder = folder(&[
        ("x/en/standard.xml", en.as_bytes()),
        ("x/fr/standard.xml", fr.as_bytes()),
        ("x/images/fig.png", PNG),
        ("y/images/fig.png", PNG),
    ]);
    let reports = checked(folder.path(), &limits());
    let available: Vec<usize> = reports.iter().map(|report| report.tally.available).collect();
    assert_eq!(available, [1, 1], "{reports:?}");
}
