//! Hostile documents, whose HTML has allowed elements and attributes alone.

use std::collections::BTreeSet;

use super::{not_allowed, written};

/// What a document may try, as the content of a section.
fn hostile() -> Vec<String> {
    let mut contents: Vec<String> = [
        "<script>alert(1)</script>",
        "<p><html:script xmlns:html='http://www.w3.org/1999/xhtml'>alert(1)</html:script></p>",
        "<p onclick='alert(1)' onmouseover=\"alert(1)\">x</p>",
        "<p style='background:url(http://h.example/x)' class='x'>x</p>",
        "<style>p { background: url(http://h.example/x) }</style>",
        "<p><ext-link xlink:href='javascript:alert(1)'>x</ext-link></p>",
        "<p><ext-link xlink:href='http://h.example/'/></p>",
        "<p><uri>javascript:alert(1)</uri></p>",
        "<p><xref rid='javascript:alert(1)'>x</xref></p>",
        "<p><xref rid='\">&lt;script>alert(1)&lt;/script>'>x</xref></p>",
        "<p><xref rid='&quot; onclick=&quot;alert(1)'>x</xref></p>",
        "<p id='&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'>x</p>",
        "<p xml:lang='&quot;&gt;&lt;script&gt;'>x</p>",
        "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
        "<p><![CDATA[<script>alert(1)</script>]]></p>",
        "<p><svg:svg xmlns:svg='http://www.w3.org/2000/svg' onload='alert(1)'><svg:script>alert(1)</svg:script></svg:svg></p>",
        "<fig id='f'><graphic xlink:href='javascript:alert(1)'/></fig>",
        "<fig id='f'><graphic xlink:href='http://h.example/x.svg' onerror='alert(1)'/></fig>",
        "<fig id='f'><graphic xlink:href='data:image/svg+xml,&lt;svg onload=alert(1)&gt;'/></fig>",
        "<p><base href='http://h.example/'/></p>",
        "<meta http-equiv='refresh' content='0;url=http://h.example/'/>",
        "<link rel='stylesheet' href='http://h.example/'/>",
        "<iframe src='http://h.example/'>x</iframe>",
        "<object data='http://h.example/'>x</object>",
        "<embed src='http://h.example/'/>",
        "<form action='http://h.example/'><input name='x'/><button>x</button></form>",
        "<p><img src='x' onerror='alert(1)'/></p>",
        "<p><a href='javascript:alert(1)'>x</a></p>",
        "<p><mml:math><mml:mi href='javascript:alert(1)' style='x' onclick='alert(1)'>x</mml:mi></mml:math></p>",
        "<p><mml:math><mml:annotation-xml encoding='text/html'><script>alert(1)</script></mml:annotation-xml></mml:math></p>",
        "<p><mml:math><mml:maction actiontype='statusline#http://h.example'><mml:mi>x</mml:mi></mml:maction></mml:math></p>",
        "<p><mml:math><mml:mtext><script>alert(1)</script></mml:mtext></mml:math></p>",
        "<p><mml:math><mml:mglyph src='http://h.example/'/><mml:mi>x</mml:mi></mml:math></p>",
        "<p><mml:math><mml:mo stretchy='&quot; onclick=&quot;'>+</mml:mo><mml:mspace width='expression(1)'/></mml:math></p>",
        "<table-wrap id='t'><table><tr><td colspan='-1' rowspan='99999999999'>x</td></tr><script>alert(1)</script></table></table-wrap>",
        "<table-wrap id='t'><table><tr><td colspan='1000000'>x</td><td rowspan='0'>y</td></tr><tr/></table></table-wrap>",
        "<list list-type='&quot;&gt;'><list-item><label>&lt;b&gt;</label><p>x</p></list-item></list>",
        "<p><fn id='&quot;&gt;'><label>&lt;</label><p>x</p></fn></p>",
        "<p><tbx:entailedTerm target='javascript:alert(1)'>x</tbx:entailedTerm></p>",
        "<p content-type='requirement' id='s'>x shall y</p>",
        "<p>\u{85}\u{fdd0}\u{202e}x</p>",
        "<preformat>&lt;/pre&gt;&lt;script&gt;</preformat>",
        "<!-- --><?php echo 1 ?><p>x</p>",
        "<noscript><p>x</p></noscript><template><p>x</p></template><plaintext>x</plaintext><textarea>x</textarea>",
        "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title><p>x</p>",
        "<p><private-char description='&lt;script&gt;'/></p>",
        "<p><tex-math>\\href{javascript:alert(1)}{x}</tex-math></p>",
    ]
    .map(str::to_owned)
    .into();
    let nested = |name: &str, times: usize| {
        format!("{}x{}", format!("<{name}>").repeat(times), format!("</{name}>").repeat(times))
    };
    contents.extend(["p", "bold", "list", "table", "boxed-text"].map(|name| nested(name, 200)));
    contents.push(format!("<p><mml:math>{}</mml:math></p>", nested("mml:mfenced", 200)));
    contents
}

#[test]
fn hostile_documents_become_text_and_allowed_elements() {
    for content in hostile() {
        let html = written(&content);
        assert_eq!(not_allowed(&html), BTreeSet::new(), "{content}: {html}");
        assert_eq!(html.matches("<section").count(), html.matches("</section>").count(), "{content}");
    }
}
