import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct PageParserTests {
    private func events(_ text: String, base: ListBase = .web("http://a.example/d/"), pieces: Int = .max) -> [ListEvent]
    {
        var parser = PageParser(base: base)
        return parser.events(text, pieces: pieces)
    }

    private func locations(_ events: [ListEvent]) -> [String] {
        events.compactMap { if case .entry(let entry) = $0 { entry.location } else { nil } }
    }

    @Test(arguments: [1, 5, .max])
    func `pictures, links and meta pictures are entries`(pieces: Int) {
        let found = events(
            """
            <html><head><meta property="og:image" content="/og.jpg"><title><img src=no.png></title></head>
            <IMG src='1.png?a=1&amp;b=2' alt=" A bird ">
            <a href="big/2.JPG#x">2</a> <a href="page.html?x.png">no</a> <a href=mailto:x@y>no</a>
            """, pieces: pieces)
        #expect(
            found == [
                .entry(ListEntry(line: 1, location: "http://a.example/og.jpg")),
                .entry(ListEntry(line: 2, location: "http://a.example/d/1.png?a=1&b=2", title: "A bird")),
                .entry(ListEntry(line: 3, location: "http://a.example/d/big/2.JPG#x")),
            ])
    }

    @Test(arguments: [
        "<input type=image src=1.png>", "<input type=text src=no.png><svg><image href=1.png></svg>",
        "<image xlink:href=1.png />", "<object type=image/png data=1.png></object><object data=film.swf></object>",
        "<embed src=1.png><embed src=no.pdf>", "<amp-img src=1.png></amp-img>", "<body background=1.png>",
        "<div data-bg=1.png>", "<p style=\"color: red; background: url( '1.png' ) no-repeat\">",
        "<link rel=preload as=image href=small.png imagesrcset='small.png 1x, 1.png 2x'>",
        "<link rel=preload as=font href=no.woff><meta itemprop=image content=1.png>",
        "<style>@font-face { src: url(no.woff2), url('no.svg#f') } /* url(no.png) */ .a { background: URL( 1.png ) }</style>",
        "<DIV STYLE='Background: url(javascript:no) URL(&quot;1.png&quot;)'>",
        "<script type='application/ld+json'>{\"@type\": \"Recipe\", \"url\": \"no\", \"image\": [\"1.png\"]}</script>",
    ])
    func `each way of HTML to show a picture is read`(text: String) {
        #expect(locations(events(text)) == ["http://a.example/d/1.png"])
        #expect(locations(events(text, pieces: 1)) == ["http://a.example/d/1.png"])
    }

    @Test(arguments: [
        (#"url(1\.png)"#, "1.png"), (#"url(a\(1\).png)"#, "a(1).png"), (#"url("a\"b\29.png")"#, "a%22b).png"),
        (#"url('1.png?a\26 b=2')"#, "1.png?a&b=2"), (#"url(1.png\3f a\000026b)"#, "1.png?a&b"),
        ("url('1\\\n.png')", "1.png"), (#"url(b\FC cher.png)"#, "b%C3%BCcher.png"), (#"u\72l(1.png)"#, "1.png"),
        ("url('a/*b*/.png')", "a/*b*/.png"), ("url(a//*b.png)", "a//*b.png"), ("url('1.png", "1.png"),
        ("url( 1.png ", "1.png"), (#"url("1.png" cross-origin(anonymous))"#, "1.png"),
        ("/**/url/**/(x) url(1.png)/*", "1.png"),
    ])
    func `escapes and comments of styles are read as browsers read them`(value: String, name: String) {
        let escaped = value.replacing("\"", with: "&quot;")
        #expect(locations(events("<p style=\"background:\(escaped)\">")) == ["http://a.example/d/\(name)"])
        #expect(locations(events("<style>p{background:\(value)</style>")) == ["http://a.example/d/\(name)"])
    }

    @Test(arguments: [
        "image-set(url(no.png) 1x, url(1.png) 2x)", "-webkit-image-set( url('1.png') 2x , url(no.png) 1x )",
        #"image-set("no.png", "1.png" 1.5dppx, "no2.png" 1x)"#, #"IMAGE-SET('no.png' 96dpi, '1.png' 192DPI)"#,
        #"image-set("1.png" type("image/png"), "no.png" type("image/avif"))"#,
        #"image-set("no.zzz" type("image/zzz") 3x, "1.png" 2x type("image/webp"))"#,
        #"image-set(linear-gradient(red, blue) 3x, "1.png" 40dpcm, "no.png" 1x)"#,
        #"image(ltr "1.png", red)"#, #"image-set(image("no.png") 1x, image-set("1.png" 1x, "no.png" 0.5x) 2x)"#,
        #"image-set("no.png" 1x, cross-fade(url(1.png) 50%, url(no.png)) 2x"#, #"image-set("1.png" 0x, "no.png" -2x)"#,
        "image-set('#no' 2x, url(1.png) 1x)",
    ])
    func `of a set of pictures in a style, the one of the largest resolution counts`(value: String) {
        let escaped = value.replacing("\"", with: "&quot;")
        #expect(locations(events("<p style=\"content:\(escaped)\">")) == ["http://a.example/d/1.png"])
        #expect(locations(events("<style>p{content:\(value)}</style>")) == ["http://a.example/d/1.png"])
        #expect(locations(events("<p data-bg=\"\(escaped)\">")) == ["http://a.example/d/1.png"])
    }

    @Test func `strings of styles are no addresses, and a bad one ends with its line`() {
        let sheet = """
            @import "no.css"; p { content: "url(no.png)" format("no.png") } q { content: "
            background: url(1.png); background-image: image-set("2" 2x); src: url(no.svg) }
            """
        #expect(
            locations(events("<style>\(sheet)</style>"))
                == [1, 2].map { "http://a.example/d/\($0 == 1 ? "1.png" : "2")" })
    }

    @Test(arguments: [
        "\\", "\\\\", "image-set(", "(", "url(", "image-set(url(a) 2x,", "/*", "*/", "\"", "\\\n", "a", "image(\"",
        "type(\"",
    ])
    func `a style of many equal marks is parsed in little time`(mark: String) {
        let text = String(repeating: mark, count: 300_000 / mark.utf8.count)
        #expect(locations(events("<style>\(text)</style><img src=1.png>")).last == "http://a.example/d/1.png")
    }

    @Test func `a style that closes itself does not make a script one`() {
        #expect(events("<style/><script>var x = 'background:url(no.jpg)'</script><p>").isEmpty)
    }

    @Test func `linked data names pictures as texts, lists and objects, and thumbnails where there is no other`() {
        let found = events(
            """
            <script type="application/ld+json">
            {"@graph": [{"@type": "Article", "image": {"@type": "ImageObject", "url": "/page", "contentUrl": "/1"},
             "thumbnailUrl": "/no"}, {"@type": "VideoObject", "thumbnailUrl": ["/2"]},
             {"@type": "ImageObject", "contentUrl": "/3"}], "author": {"image": "/4"}}
            </script><script>var a = {"image": "/no"}</script>
            <script type="application/ld+json">{"image": </script>
            """)
        #expect(locations(found) == (1...4).map { "http://a.example/\($0)" })
    }

    @Test(arguments: [
        #"{"@type": ["Thing", "http://schema.org/ImageObject"], "contentUrl": "/1"}"#,
        #"{"image": {"@list": ["/1"]}}"#, #"{"image": {"@id": "/1"}}"#, #"{"image": [{"@value": "/1"}]}"#,
        #"//<![CDATA[\n{"image": "/1"}\n//]]>"#, "<!-- {\"image\": \"/1\"} -->",
    ])
    func `linked data may have lists of types, items and marks around it`(text: String) {
        let script = text.replacing("\\n", with: "\n")
        let found = events("<script type='Application/LD+JSON; charset=utf-8'>\(script)</script>")
        #expect(locations(found) == ["http://a.example/1"])
    }

    @Test(arguments: [
        "<div data-bg='#fff'>", "<div data-background=true>", "<p style='clip-path:url(a.svg); filter: url(f.svg#b)'>",
        "<img src='about:blank'>", "<p style='background:url(about:blank)'>", "<!-- <img src=1.png> --!>",
    ])
    func `colours, shapes, filters, blank pages and comments are no pictures`(text: String) {
        #expect(locations(events(text + "<img src=/2.png>")) == ["http://a.example/2.png"])
    }

    @Test func `a style of more than 1 MiB is told`() {
        let found = events("<style>\(String(repeating: "a", count: 1 << 20)) b{background:url(1.png)}</style>")
        #expect(found == [.rejected(line: 1, reason: "a style is longer than 1 MiB; its pictures are left out")])
    }

    @Test func `srcset versions of an image are one entry`() {
        let found = events("<img src=1.png srcset='1s.png 300w, 1l.png 900w'>")
        var entry = ListEntry(
            line: 1, location: "http://a.example/d/1l.png", alternatives: ["http://a.example/d/1.png"])
        entry.lowData = "http://a.example/d/1s.png"
        #expect(found == [.entry(entry)])
    }

    @Test func `sources of a picture element are alternatives or stand alone`() {
        let found = events(
            """
            <picture><source srcset=1.avif><source srcset="1.webp, 1x.webp 2x"><img src=1.png></picture>
            <picture><source srcset=2.avif><source srcset=2.webp></picture><source srcset=no.png><img src=3.png>
            """)
        let base = "http://a.example/d/"
        #expect(
            found == [
                .entry(
                    ListEntry(
                        line: 1, location: "\(base)1.png", alternatives: ["\(base)1.avif", "\(base)1x.webp"])),
                .entry(ListEntry(line: 2, location: "\(base)2.avif", alternatives: ["\(base)2.webp"])),
                .entry(ListEntry(line: 2, location: "\(base)3.png")),
            ])
    }

    @Test func `a lazily loaded picture replaces the placeholder`() {
        for name in ["data-src", "data-lazy-src", "data-original"] {
            let found = locations(events("<img src='data:image/gif,x' \(name)=1.png>"))
            #expect(found == ["http://a.example/d/1.png"])
        }
        #expect(
            locations(events("<video poster=1.png></video><link rel=image_src href=2.png>"))
                == ["http://a.example/d/1.png", "http://a.example/d/2.png"])
    }

    @Test func `the first valid base is used and resolved against the given one`() {
        let found = events("<base href='/x/'><base href='/y/'><img src=1.png>")
        #expect(locations(found) == ["http://a.example/x/1.png"])
        #expect(locations(events("<base href='mailto:x'><img src=1.png>")) == ["http://a.example/d/1.png"])
    }

    @Test func `a saved page names files in its folder`() {
        let found = events("<img src='my%20pic.png?v=1'><img src='//cdn.example/b.png'>", base: .folder("/saved here"))
        #expect(locations(found) == ["/saved here/my pic.png", "https://cdn.example/b.png"])
    }

    @Test func `spaces are escaped and line breaks removed`() {
        #expect(locations(events("<img src=' a b\n.png '>")) == ["http://a.example/d/a%20b.png"])
    }

    @Test func `bad addresses are reported and reading continues`() {
        let found = events("<img src='ftp://x/'>\n<img src='http://'><img><img src=''><img src=1.png>")
        #expect(
            found == [
                .rejected(line: 1, reason: "the scheme ftp is not one of http, https, file, data"),
                .rejected(line: 2, reason: "a URL without a host"),
                .entry(ListEntry(line: 2, location: "http://a.example/d/1.png")),
            ])
    }

    @Test func `an address that is not UTF-8 is reported`() {
        var parser = PageParser(base: .folder("/"))
        var found: [ListEvent] = []
        parser.feed(Array("<img src=a".utf8) + [0xFF] + Array(".png>".utf8), into: &found)
        #expect(found == [.rejected(line: 1, reason: "the address is not valid UTF-8")])
    }

    @Test func `deeply nested elements are read`() {
        let text = String(repeating: "<div>", count: 200_000) + "<img src=1.png>"
        #expect(locations(events(text)) == ["http://a.example/d/1.png"])
    }

    @Test func `the number of sources of one picture is limited`() {
        let text = "<picture>" + (0..<200).map { "<source srcset=\($0).png>" }.joined() + "<img src=x.png></picture>"
        guard case .entry(let entry) = events(text).first else {
            Issue.record("no entry")
            return
        }
        #expect(entry.alternatives.count == ListEntry.alternativeLimit)
    }
}
