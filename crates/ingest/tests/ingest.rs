//! Ingest tests: packages in any layout, harmful archives, manifests, and a garbage collector that runs at
//! the same time.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use norma_editions::stores::open_store;
use norma_ingest::{DocumentReport, IngestLimits, IngestOptions, IngestVerdict, check, ingest};
use norma_settings::{Layers, SettingOrigin, Settings};
use norma_store::Store;
use norma_sts::ExtractionLimits;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0";
const TIFF: &[u8] = b"II*\0\x08\0\0\0";
const EPS: &[u8] = b"%!PS-Adobe-3.0 EPSF-3.0\n";

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

fn settings(changed: &[(&str, &str)]) -> Settings {
    let layers = changed
        .iter()
        .fold(Layers::default(), |l, (key, value)| l.set(key, value, SettingOrigin::Command).unwrap());
    layers.settings().unwrap()
}

fn limits() -> IngestLimits {
    IngestLimits::new(&settings(&[]).ingest)
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

async fn empty_store(folder: &Path) -> Store {
    open_store(&settings(&[("store", &folder.join("norma.db").display().to_string())]).store).await.unwrap()
}

async fn taken_in(store: &Store, source: PathBuf, replace: bool) -> Vec<DocumentReport> {
    let options = IngestOptions { replace, ..IngestOptions::new(&settings(&[]).ingest) };
    let mut reports = Vec::new();
    ingest(store, vec![source], &options, |report, _| reports.push(report)).await;
    reports
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_files_of_one_stem_the_best_kind_is_taken_and_the_others_when_it_is_alone() {
    let kinds: [(&str, &[u8], &str); 5] = [
        ("fig.svg", b"<svg width='3' height='2'/>", "image/svg+xml"),
        ("fig.png", PNG, "image/png"),
        ("fig.jpg", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("fig.tif", TIFF, "image/tiff"),
        ("fig.eps", EPS, "application/postscript"),
    ];
    let stores = tempfile::tempdir().unwrap();
    let store = empty_store(stores.path()).await;
    let xml = standard(1, "A peg shall hold.", "media/fig");
    for best in 0..kinds.len() {
        let mut files = vec![("document.xml", xml.as_bytes())];
        files.extend(kinds[best..].iter().map(|&(name, bytes, _)| (name, bytes)));
        let folder = folder(&files);
        let reports = taken_in(&store, folder.path().to_owned(), true).await;
        let entry = store.entry(reports[0].urn.as_ref().unwrap()).await.unwrap().unwrap();
        let taken: Vec<&str> = entry.assets.iter().map(|asset| asset.media_type.as_str()).collect();
        assert_eq!(taken, [kinds[best].2]);
    }
}

#[test]
fn a_picture_is_found_by_path_name_and_stem_in_any_layout_and_letters_of_either_case() {
    for (href, file) in [
        ("media/fig_1.png", "media/fig_1.png"),
        ("fig_1.png", "media/fig_1.png"),
        ("FIG_1.PNG", "media/fig_1.png"),
        ("fig_1.gif", "media/fig_1.png"),
        ("fig_1", "deep/down/Fig_1.PNG"),
    ] {
        let xml = standard(1, "A peg shall hold.", href);
        let folder = folder(&[("in/document.xml", xml.as_bytes()), (&format!("in/{file}"), PNG)]);
        let reports = checked(folder.path(), &limits());
        assert_eq!(reports[0].tally.available, 1, "{href}: {reports:?}");
    }
}

#[test]
fn a_missing_picture_is_reported_and_keeps_nothing_out() {
    let folder = folder(&[("document.xml", standard(1, "A peg shall hold.", "fig_9").as_bytes())]);
    let reports = checked(folder.path(), &limits());
    assert!(matches!(reports[0].verdict, IngestVerdict::Created), "{reports:?}");
    assert_eq!((reports[0].tally.graphics, reports[0].tally.available), (1, 0));
    assert!(reports[0].diagnostics.iter().any(|d| d.code == "missing-graphic-file"), "{reports:?}");
}

#[test]
fn xml_of_another_kind_is_passed_over_unless_it_was_named() {
    let catalog = b"<?xml version='1.0'?>\n<catalog xmlns='urn:x'><uri name='a'/></catalog>".as_slice();
    let xml = standard(1, "A peg shall hold.", "fig");
    let folder = folder(&[
        ("a/document.xml", xml.as_bytes()),
        ("catalog.xml", catalog),
        ("cut.xml", b"<standard><fro"),
    ]);
    let mut verdicts: Vec<String> = checked(folder.path(), &limits())
        .iter()
        .map(|report| match &report.verdict {
            IngestVerdict::Skipped(root) => format!("skipped {root}"),
            IngestVerdict::Refused(_) => "refused".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        })
        .collect();
    verdicts.sort();
    assert_eq!(verdicts, ["created", "refused", "skipped catalog"]);
    let named = refusal(&checked(&folder.path().join("catalog.xml"), &limits()));
    assert!(named.contains("`catalog`"), "{named}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_does_harm_is_refused_with_its_reason_and_writes_nothing() {
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/broken");
    let folder = tempfile::tempdir().unwrap();
    let store = empty_store(folder.path()).await;
    for (file, reason) in [
        ("path-traversal.zip", "leads out of the archive"),
        ("absolute-path.zip", "leads out of the archive"),
        ("symbolic-link.zip", "is a link"),
        ("nested-archive.zip", "an archive in an archive"),
        ("encrypted-entry.zip", "is encrypted"),
        ("ratio-bomb.zip", "max-zip-ratio"),
    ] {
        let reports = taken_in(&store, broken.join(file), false).await;
        assert!(refusal(&reports).contains(reason), "{file}: {reports:?}");
    }
    for (setting, value) in
        [("max-package-files", "1"), ("max-package-size", "1KiB"), ("max-document-size", "1KiB")]
    {
        let limits = IngestLimits::new(&settings(&[(setting, value)]).ingest);
        let reports = checked(&broken.join("free-layout.zip"), &limits);
        for report in &reports {
            let IngestVerdict::Refused(refusal) = &report.verdict else { panic!("{setting}: {report:?}") };
            assert!(refusal.to_string().contains(setting), "{setting}: {refusal}");
        }
    }
    assert_eq!((store.stats().await.unwrap().editions, store.stats().await.unwrap().blobs), (0, 0));
    let whole = taken_in(&store, broken.join("free-layout.zip"), false).await;
    assert_eq!(whole.len(), 2, "several standards are in one package");
    assert_eq!(store.stats().await.unwrap().editions, 2);
}

#[test]
fn each_limit_of_a_document_is_named_by_its_refusal() {
    let text = "A <u:peg>peg</u:peg> shall <a:b xmlns:a='urn:a' c='hold'/> &outer;.";
    let doctype = "<!DOCTYPE standard [<!ENTITY inner 'the weight'><!ENTITY outer '&inner; of a coat'>]>";
    let document = doctype.to_owned() + &standard(1, text, "peg.png");
    let folder = folder(&[("document.xml", document.as_bytes())]);
    type Change = fn(&mut ExtractionLimits);
    let changes: [(&str, Change); 9] = [
        ("max-document-size", |limits| limits.source_bytes = 64),
        ("max-depth", |limits| limits.depth = 3),
        ("max-nodes", |limits| limits.nodes = 9),
        ("max-attribute-size", |limits| limits.attribute_bytes = 2),
        ("max-entity-expansion", |limits| limits.expansion_bytes = 8),
        ("max-entity-depth", |limits| limits.expansion_depth = 1),
        ("max-prefixes", |limits| limits.prefixes = 1),
        ("max-undeclared-prefixes", |limits| limits.undeclared_prefixes = 0),
        ("min-part-size", |limits| limits.part_bytes = 1 << 20),
    ];
    for (name, change) in changes {
        let mut limits = limits();
        // Without a count that is always allowed, the size of a part decides.
        limits.document.parts = 0;
        change(&mut limits.document);
        let reports = checked(folder.path(), &limits);
        let IngestVerdict::Refused(refusal) = &reports[0].verdict else { panic!("{name}: {reports:?}") };
        assert!(format!("{refusal:?}").contains(name), "{name}: {refusal:?}");
    }
    let IngestVerdict::Created = checked(folder.path(), &limits())[0].verdict else {
        panic!("within each limit")
    };
}

#[cfg(unix)]
#[test]
fn a_link_in_a_folder_leads_nowhere() {
    let outside = folder(&[("secret.png", PNG), ("other.xml", standard(2, "Out.", "x").as_bytes())]);
    let folder = folder(&[("document.xml", standard(1, "A peg shall hold.", "secret.png").as_bytes())]);
    for name in ["secret.png", "other.xml"] {
        std::os::unix::fs::symlink(outside.path().join(name), folder.path().join(name)).unwrap();
    }
    std::os::unix::fs::symlink(outside.path(), folder.path().join("media")).unwrap();
    let reports = checked(folder.path(), &limits());
    assert_eq!((reports.len(), reports[0].tally.available), (1, 0), "{reports:?}");
}

#[cfg(unix)]
#[test]
fn a_backslash_in_a_name_is_a_character_and_a_name_that_is_not_utf_8_keeps_no_neighbour_out() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder(&[("part\\1.xml", standard(1, "A peg shall hold.", "x").as_bytes())]);
    let name = std::ffi::OsStr::from_bytes(b"part\xff2.xml");
    std::fs::write(folder.path().join(name), standard(2, "A peg shall hold.", "x")).unwrap();
    let reports = checked(folder.path(), &limits());
    let [DocumentReport { verdict: IngestVerdict::Created, document, .. }] = &reports[..] else {
        panic!("{reports:?}")
    };
    assert!(document.ends_with("part\\1.xml"), "{document:?}");
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

#[tokio::test(flavor = "multi_thread")]
async fn a_document_takes_pictures_and_nothing_else_of_its_own_folder_and_of_no_other() {
    let other = standard(2, "A peg shall float.", "plan.png");
    let third = standard(3, "A peg shall sink.", "x");
    let around: [(&str, &[u8]); 13] = [
        ("in/.ssh/id_rsa", b"-----BEGIN OPENSSH PRIVATE KEY-----"),
        ("in/.env", b"BMW_SECRET=x"),
        ("in/norma.toml", b"[server]"),
        ("in/.git/config", b"[core]"),
        ("in/.git/peg.png", PNG),
        ("in/page.html", b"<html><svg/></html>"),
        ("in/page.png", b"<!DOCTYPE html><script>alert(1)</script>"),
        ("in/script.js", b"alert(1)"),
        ("in/media/fig.png", PNG),
        ("other/document.xml", other.as_bytes()),
        ("other/plan.png", PNG),
        ("in/third/document.xml", third.as_bytes()),
        ("in/third/deep/plan.png", PNG),
    ];
    let (refused, missing) = ("graphic-file-refused", "missing-graphic-file");
    for (href, said) in [
        (".ssh/id_rsa", refused),
        (".env", refused),
        ("%2eenv", refused),
        ("norma.toml", refused),
        ("norma", missing),
        (".git/config", refused),
        (".git/peg.png", refused),
        ("page.html", refused),
        ("page", refused),
        ("script.js", refused),
        ("../other/plan.png", refused),
        ("file:///../other/plan.png", refused),
        ("third/deep/plan.png", refused),
        ("plan.png", missing),
        ("../../../etc/hostname", missing),
        ("document.xml", refused),
        ("media/fig.png", ""),
        ("../in/media/fig.png", ""),
    ] {
        let xml = standard(1, "A peg shall hold.", href);
        let files: Vec<(&str, &[u8])> =
            [("in/document.xml", xml.as_bytes())].into_iter().chain(around).collect();
        let folder = folder(&files);
        let packed = folder.path().join("all.zip");
        archive(&packed, &files);
        for source in [folder.path().join("in/document.xml"), packed, folder.path().to_owned()] {
            let stores = tempfile::tempdir().unwrap();
            let store = empty_store(stores.path()).await;
            let reports = taken_in(&store, source.clone(), true).await;
            let report =
                reports.iter().find(|r| r.urn.as_ref().is_some_and(|u| u.as_str().contains(":1:"))).unwrap();
            let entry = store.entry(report.urn.as_ref().unwrap()).await.unwrap().unwrap();
            let codes: Vec<&str> = report.diagnostics.iter().map(|d| d.code).collect();
            // Named alone, a document sees its own folder and the folders in that.
            let said =
                if source.ends_with("in/document.xml") && href.contains("other/") { missing } else { said };
            let said = if href == "third/deep/plan.png" && source.ends_with("document.xml") {
                missing
            } else {
                said
            };
            match said {
                "" => assert_eq!((entry.assets.len(), codes), (1, vec![]), "{href} of {source:?}"),
                said => assert_eq!((entry.assets.len(), codes), (0, vec![said]), "{href} of {source:?}"),
            }
            assert!(!reports.iter().any(|r| matches!(r.verdict, IngestVerdict::Refused(_))), "{reports:?}");
        }
    }
}

#[test]
fn what_a_graphic_embeds_is_a_picture_or_is_not_taken() {
    for (href, available) in [
        ("data:image/gif;base64,R0lGODlhAQABAAAAACw=", 1),
        ("data:text/html,&lt;script>alert(1)&lt;/script>", 0),
        ("data:image/png;base64,PGh0bWw+", 0),
    ] {
        let folder = folder(&[("document.xml", standard(1, "A peg shall hold.", href).as_bytes())]);
        let report = &checked(folder.path(), &limits())[0];
        assert_eq!(report.tally.available, available, "{report:?}");
        assert_eq!(report.diagnostics.iter().any(|d| d.code == "graphic-file-refused"), available == 0);
    }
}

#[test]
fn what_is_wrong_with_the_file_of_a_graphic_is_said_at_its_element() {
    let xml = standard(1, "A peg shall hold.", "fig_9").replace("<graphic", "\n  <graphic");
    for (file, bytes, code) in [
        ("x.png", PNG, "missing-graphic-file"),
        ("fig_9.png", TIFF, "graphic-of-other-kind"),
        ("fig_9", b"no picture".as_slice(), "graphic-file-refused"),
    ] {
        let folder = folder(&[("document.xml", xml.as_bytes()), (file, bytes)]);
        let diagnostics = &checked(folder.path(), &limits())[0].diagnostics;
        let positions: Vec<_> = diagnostics.iter().map(|d| (d.code, d.line, d.column)).collect();
        assert_eq!(positions, [(code, 2, 3)]);
    }
}

#[test]
fn two_files_of_one_name_in_an_archive_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.zip");
    let xml = standard(1, "A peg shall hold.", "fig_1.png");
    for (second, refused) in [
        ("fig_2.png", false),
        ("fig_1.png", true),
        ("Fig_1.PNG", true),
        ("media//peg.png", true),
        ("media/./peg.png", true),
    ] {
        let name = "\u{1}".repeat(second.len());
        let files =
            [("document.xml", xml.as_bytes()), ("fig_1.png", PNG), ("media/peg.png", PNG), (&name, PNG)];
        archive(&path, &files);
        // The writer refuses the same names too: one of them is written over.
        let bytes = std::fs::read(&path).unwrap();
        let mut offset = 0;
        let bytes: Vec<u8> = std::iter::from_fn(|| {
            let rest = bytes.get(offset..).filter(|rest| !rest.is_empty())?;
            let piece = if rest.starts_with(name.as_bytes()) { second.as_bytes() } else { &rest[..1] };
            offset += piece.len();
            Some(piece)
        })
        .flatten()
        .copied()
        .collect();
        std::fs::write(&path, bytes).unwrap();
        let reports = checked(&path, &limits());
        match refused {
            true => assert!(refusal(&reports).contains("name"), "{second}: {reports:?}"),
            false => assert_eq!(reports[0].tally.available, 1, "{reports:?}"),
        }
    }
}

#[test]
fn a_manifest_names_the_documents_that_cannot_tell_it_themselves() {
    let without_identity =
        b"<standard><body><sec><title>Pegs</title><p>A peg shall hold.</p></sec></body></standard>"
            .as_slice();
    let manifest =
        b"[urn]\n\"a.xml\" = \"urn:nsb:std:nsb:7:ed-1:en\"\n\"sub/b.xml\" = \"urn:nsb:std:nsb:8:ed-2:en\"\n";
    let files = [
        ("x/a.xml", without_identity),
        ("x/sub/b.xml", without_identity),
        ("x/norma-manifest.toml", manifest.as_slice()),
    ];
    let folder = folder(&files);
    let mut urns: Vec<String> = checked(folder.path(), &limits())
        .iter()
        .map(|r| r.urn.as_ref().unwrap_or_else(|| panic!("{r:?}")).to_string())
        .collect();
    urns.sort();
    assert_eq!(urns, ["urn:nsb:std:nsb:7:ed-1:en", "urn:nsb:std:nsb:8:ed-2:en"]);
    let named = checked(&folder.path().join("x/a.xml"), &limits());
    assert_eq!(named[0].urn.as_ref().unwrap().as_str(), "urn:nsb:std:nsb:7:ed-1:en");
    for (text, reason) in [
        ("[urn]\n\"c.xml\" = \"urn:nsb:std:nsb:7:ed-1:en\"", "`c.xml`, which is not in the package"),
        ("[urn]\n\"a.xml\" = \"nsb 7\"", "the URN of `a.xml`"),
        ("[title]\n\"a.xml\" = \"Pegs\"", "unknown field"),
    ] {
        std::fs::write(folder.path().join("x/norma-manifest.toml"), text).unwrap();
        let refusal = refusal(&checked(folder.path(), &limits()));
        assert!(refusal.contains(reason) && refusal.contains("norma-manifest.toml"), "{refusal}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_sources_of_one_name_are_both_named_and_the_second_comes_in_only_to_replace() {
    let folder = folder(&[
        ("one.xml", standard(5, "A peg shall hold.", "x").as_bytes()),
        ("two.xml", standard(5, "A peg shall float.", "x").as_bytes()),
    ]);
    let stores = tempfile::tempdir().unwrap();
    let store = empty_store(stores.path()).await;
    assert!(matches!(
        taken_in(&store, folder.path().join("one.xml"), false).await[0].verdict,
        IngestVerdict::Created
    ));
    let message = refusal(&taken_in(&store, folder.path().join("two.xml"), false).await);
    assert!(message.contains("one.xml") && message.contains("two.xml"), "{message}");
    assert!(matches!(
        taken_in(&store, folder.path().join("two.xml"), true).await[0].verdict,
        IngestVerdict::Replaced
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_in_a_loop_takes_nothing_from_an_ingest() {
    const DOCUMENTS: u32 = 24;
    let stores = tempfile::tempdir().unwrap();
    let store = empty_store(stores.path()).await;
    let archive = tempfile::tempdir().unwrap();
    let running = Arc::new(AtomicBool::new(true));
    let collector = tokio::spawn({
        let (store, running) = (store.clone(), running.clone());
        async move {
            let mut collected = 0;
            while running.load(Ordering::Relaxed) {
                // To this collector everything is old.
                let later = SystemTime::now() + Duration::from_secs(3600);
                collected += store.gc(Duration::ZERO, later).await.unwrap().blobs;
                tokio::task::yield_now().await;
            }
            collected
        }
    });
    for turn in 0..3 {
        for number in 0..DOCUMENTS {
            let text = format!("A peg of kind {number} shall hold {} N.", turn % 2);
            let file = archive.path().join(format!("{number}.xml"));
            std::fs::write(file, standard(100 + number, &text, "x")).unwrap();
        }
        for report in taken_in(&store, archive.path().to_owned(), false).await {
            assert!(matches!(report.verdict, IngestVerdict::Created | IngestVerdict::Replaced), "{report:?}");
        }
    }
    running.store(false, Ordering::Relaxed);
    assert!(collector.await.unwrap() > 0, "there was nothing to collect");
    let stored = store.editions(None, 500).await.unwrap();
    assert_eq!(stored.len(), DOCUMENTS as usize);
    for edition in stored {
        let entry = store.entry(&edition.urn).await.unwrap().unwrap();
        assert!(store.blob_verified(&entry.pack).await.unwrap().is_some(), "{} has no pack", edition.urn);
    }
}
