//! Sentences of the public documents with a verb of duty that do not become a provision: each is listed with
//! its reason.
//!
//! It needs the corpus next to the workspace; without it, it says so and passes.

use std::path::Path;

#[test]
fn each_duty_of_public_documents_that_is_no_provision_is_listed_with_a_known_reason() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/sts");
    let Ok(folders) = std::fs::read_dir(&corpus) else {
        println!("not run: {} is not there", corpus.display());
        return;
    };
    let mut paths: Vec<_> = folders
        .flat_map(|folder| std::fs::read_dir(folder.expect("a folder").path()).into_iter().flatten())
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .collect();
    paths.sort();
    let (mut listed, mut unexplained) = (0, Vec::new());
    for path in paths {
        let source = std::fs::read(&path).expect("the document can be read");
        let read = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default())
            .expect("the document is read");
        let reported = read
            .diagnostics
            .iter()
            .filter(|d| d.code.starts_with("provision-in") || d.code == "no-provision");
        for diagnostic in reported {
            let name = path.parent().and_then(Path::file_name).unwrap_or_default().display();
            let line = format!("{name}:{}:{} {}", diagnostic.line, diagnostic.column, diagnostic.message);
            println!("{line}");
            listed += 1;
            if diagnostic.message.contains("no rule reads it") {
                unexplained.push(line);
            }
        }
    }
    println!("{listed} sentences");
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}
