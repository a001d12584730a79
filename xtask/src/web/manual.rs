//! The manual as a page: docs/manual.md in the frame of web/page/manual.html.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use xtask::root;

use super::fill_in;

/// What the manual may take, compressed and without its pictures. It is no part of the first load.
pub(super) const BUDGET: usize = 32 * 1024;

/// Whether a file of the page is the manual, or only the manual uses it. The service worker tells them
/// apart in the same way.
pub(super) fn has(file: &str) -> bool {
    file.starts_with("manual")
}

/// Writes the manual into its frame and puts its pictures beside it.
pub(super) fn build(page: &Path) -> Result<()> {
    let docs = root().join("docs");
    let text = fs::read_to_string(docs.join("manual.md")).context("docs/manual.md")?;
    let manual = render(&text, |picture| {
        let bytes = fs::read(docs.join(picture)).with_context(|| picture.to_owned())?;
        let target = page.join("manual").join(picture);
        fs::create_dir_all(target.parent().context("no folder")?)?;
        fs::write(target, &bytes)?;
        png_size(&bytes).with_context(|| format!("{picture} is no PNG"))
    })?;
    fill_in(page, "manual.html", "__MANUAL__", &manual)
}

/// Markdown as HTML: headings have the names that GitHub gives them, wide tables and code scroll inside
/// themselves, and other documents, which the page doesn't have, are named without a link.
fn render(text: &str, size_of: impl Fn(&str) -> Result<(u32, u32)>) -> Result<String> {
    let mut parser = Parser::new_ext(text, Options::ENABLE_TABLES);
    let (mut events, mut names, mut linked) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(event) = parser.next() {
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let inside = until(&mut parser, TagEnd::Heading(level));
                let name = free(&slug(&words(&inside)), &names);
                let id = Some(name.clone().into());
                events.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
                events.push(Event::InlineHtml(format!("<a href=\"#{name}\">").into()));
                events.extend(inside);
                events.push(Event::InlineHtml("</a>".into()));
                events.push(Event::End(TagEnd::Heading(level)));
                names.push(name);
            }
            Event::Start(Tag::Image { dest_url: picture, .. }) => {
                let alt = words(&until(&mut parser, TagEnd::Image));
                let alt = alt.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
                let (width, height) = size_of(&picture)?;
                let img = format!(
                    "<img src=\"manual/{picture}\" alt=\"{alt}\" width=\"{width}\" height=\"{height}\">"
                );
                events.push(Event::InlineHtml(img.into()));
            }
            Event::Start(Tag::Link { ref dest_url, .. }) => {
                if let Some(name) = dest_url.strip_prefix('#') {
                    linked.push(name.to_owned());
                    events.push(event);
                } else if dest_url.contains("://") {
                    events.push(event);
                } else {
                    events.extend(until(&mut parser, TagEnd::Link));
                }
            }
            Event::Start(Tag::Table(_)) => {
                events.push(Event::Html("<div class=\"scroll\" tabindex=\"0\">".into()));
                events.push(event);
            }
            Event::End(TagEnd::Table) => {
                events.push(event);
                events.push(Event::Html("</div>\n".into()));
            }
            Event::Start(Tag::CodeBlock(_)) => {
                events.push(Event::Html("<pre tabindex=\"0\"><code>".into()));
            }
            Event::End(TagEnd::CodeBlock) => {
                events.push(Event::Html("</code></pre>\n".into()));
            }
            _ => events.push(event),
        }
    }
    if let Some(lost) = linked.iter().find(|name| !names.contains(name)) {
        bail!("docs/manual.md has no heading for the link #{lost}");
    }
    let mut page = String::new();
    html::push_html(&mut page, events.into_iter());
    Ok(page)
}

/// What is left inside an element; takes its end too.
fn until<'a>(parser: &mut Parser<'a>, end: TagEnd) -> Vec<Event<'a>> {
    parser.take_while(|event| *event != Event::End(end)).collect()
}

/// The bare text of an element.
fn words(inside: &[Event]) -> String {
    let text = |event: &Event| match event {
        Event::Text(text) | Event::Code(text) => text.to_string(),
        Event::SoftBreak | Event::HardBreak => " ".to_owned(),
        _ => String::new(),
    };
    inside.iter().map(text).collect()
}

/// The name of a heading in links, as GitHub makes it.
fn slug(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
    kept.map(|char| if char == ' ' { '-' } else { char }).collect()
}

/// A name; one that is there twice has a number the second time.
fn free(name: &str, taken: &[String]) -> String {
    let numbered = (1..).map(|number| format!("{name}-{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Width and height of a picture in pixels.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    Some((number(16)?, number(20)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        render(text, |_| Ok((528, 272))).unwrap()
    }

    #[test]
    fn headings_have_the_names_that_links_use() {
        let text = "[the list](#when-it-says-)\n# When it says …\n#### `? stopped`\n## ? stopped\n";
        let html = "<p><a href=\"#when-it-says-\">the list</a></p>\n\
            <h1 id=\"when-it-says-\"><a href=\"#when-it-says-\">When it says …</a></h1>\n\
            <h4 id=\"-stopped\"><a href=\"#-stopped\"><code>? stopped</code></a></h4>\n\
            <h2 id=\"-stopped-1\"><a href=\"#-stopped-1\">? stopped</a></h2>\n";
        assert_eq!(page(text), html);
    }

    #[test]
    fn a_link_to_no_heading_is_refused() {
        let error = render("[a](#b)", |_| Ok((1, 1))).unwrap_err().to_string();
        assert_eq!(error, "docs/manual.md has no heading for the link #b");
    }

    #[test]
    fn documents_that_the_page_has_not_are_named_without_a_link() {
        let text =
            "See [*seeds.md*](seeds.md#levels), [the start](../README.md), [x](https://x.org).";
        let html = "<p>See <em>seeds.md</em>, the start, <a href=\"https://x.org\">x</a>.</p>\n";
        assert_eq!(page(text), html);
    }

    #[test]
    fn pictures_have_their_size_and_words() {
        assert_eq!(
            page("![a \"b\" & `c`](screens/start.png)"),
            "<p><img src=\"manual/screens/start.png\" alt=\"a &quot;b&quot; &amp; c\" \
             width=\"528\" height=\"272\"></p>\n"
        );
        let start = fs::read(root().join("docs/screens/start.png")).unwrap();
        assert_eq!(png_size(&start), Some((528, 272)));
        assert_eq!(png_size(&start[..20]), None);
        assert_eq!(png_size(b"GIF89a"), None);
    }

    #[test]
    fn tables_and_code_scroll_inside_themselves() {
        let table = page("| a | b |\n|---|---|\n| 1 | `<2>` |\n");
        assert!(table.starts_with("<div class=\"scroll\" tabindex=\"0\"><table>"), "{table}");
        assert!(table.contains("<td><code>&lt;2&gt;</code></td>"), "{table}");
        assert!(table.ends_with("</table>\n</div>\n"), "{table}");
        assert_eq!(
            page("```\na < b\n```\n"),
            "<pre tabindex=\"0\"><code>a &lt; b\n</code></pre>\n"
        );
    }
}
