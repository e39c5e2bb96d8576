//! A standard whose texts try to be markup, links or calls of the programs that read exports.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

/// The texts, each a title, a sentence, a cell and a definition.
pub(crate) const TEXTS: [&str; 52] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</xhtml:div><script>alert(1)</script>",
    "]]></THE-VALUE>",
    "<!-- comment",
    "&lt;script&gt; &amp;amp; &#x3c;",
    "javascript:alert(1)",
    "http://h.example/x",
    "<http://h.example/x>",
    "a@h.example",
    "[a](javascript:alert(1))",
    "![a](http://h.example/x.png)",
    "[a]: http://h.example/x",
    "`code` and ``code``",
    "*a* **b** _c_ __d__ ~~e~~",
    "# heading",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "> quote",
    "    indented",
    "--- and ***",
    "=== and +++",
    "| a | b |",
    "a | b",
    "{{ insert: param, x }}",
    "{{ 7 * 7 }} {% raw %} {# x #}",
    "{{7*7}}",
    "[[copy('id')]]",
    "[[echo(\"x\")]] behind",
    "<<x, y>>",
    "<{x}>",
    ":ref:`x` :need:`y`",
    ":ndf:`echo(1)`",
    ".. raw:: html",
    ".. include:: /etc/passwd",
    ".. _a: http://h.example/",
    "|x| and x_ and [1]_ and _`x`",
    ":field: value",
    "a) item",
    "(a) item",
    "A. item",
    ">>> python",
    "--option",
    "x::",
    "$x^2$ $$y$$ \\(z\\)",
    "~/.ssh ~ ^",
    "!!python/object/apply:os.system ['true']",
    "key: value #comment",
    "'single' \"double\" \\n \\u0041 \\",
    "=1+1",
];

/// The standard in NISO STS.
pub(crate) fn source() -> String {
    let mut sections = String::new();
    for (number, text) in TEXTS.iter().enumerate() {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let number = number + 1;
        sections.push_str(&format!(
            "<sec id='sec_{number}'><label>{number}</label><title>{text}</title><p>The text {text} shall stay {number}.</p>\
             <p>{text}</p><list><list-item><label>a)</label><p>{text}</p></list-item></list>\
             <table-wrap id='tab_{number}'><label>Table {number}</label><caption><title>{text}</title></caption>\
             <table><thead><tr><th>{text}</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>{text}</td></tr></tbody></table></table-wrap>\
             <preformat>{text}</preformat><non-normative-note><label>NOTE</label><p>{text}</p></non-normative-note></sec>"
        ));
    }
    format!(
        "<standard xmlns:mml='http://www.w3.org/1998/Math/MathML'><front><std-meta><title-wrap xml:lang='en'><full>Hostile</full></title-wrap>\
         <std-ident><originator>NSB</originator><doc-type>is</doc-type><doc-number>9900</doc-number><edition>1</edition></std-ident>\
         <content-language>en</content-language><std-ref type='dated'>NSB 9900:2026</std-ref></std-meta></front>\
         <body>{sections}</body></standard>"
    )
}
