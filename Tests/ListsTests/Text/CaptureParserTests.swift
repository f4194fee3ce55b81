import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct CaptureParserTests {
    private func locations(_ text: String) -> [String] {
        var parser = CaptureParser(base: .folder("/l"))
        return parser.events(text).map {
            switch $0 {
            case .entry(let entry): "\(entry.line) \(entry.location)"
            case .rejected(let line, let reason), .warning(let line, let reason): "\(line) \(reason)"
            }
        }
    }

    @Test func `captures of pictures are entries, by media type or extension`() {
        #expect(
            locations(
                """
                 CDX N b a m s k r M S V g
                com,a)/x 20200101000000 https://a.com/x image/jpeg 200 AAAA - - 9 1 a.warc.gz
                com,a)/p 20200101000000 https://a.com/p text/html 200 AAAA - - 9 1 a.warc.gz
                com,a)/y.png 20200101000000 https://a.com/y.png warc/revisit - AAAA - - 9 1 a.warc.gz
                broken
                """) == [
                    "2 https://a.com/x", "4 https://a.com/y.png", "5 not a line of a web archive's index",
                ])
    }

    @Test func `the header moves the columns`() {
        #expect(locations(" CDX a b m\nhttps://a.com/x 20200101000000 image/png\n") == ["2 https://a.com/x"])
    }

    @Test func `captures with JSON are read, too`() {
        #expect(
            locations(
                """
                com,a)/x 20200101000000 {"url": "https://a.com/x", "mime": "image/webp", "status": "200"}
                com,a)/y 20200101000000 {"url":
                """) == ["1 https://a.com/x", "2 not valid JSON after the time"])
    }

    @Test func `an index is recognised by its header or its first line`() {
        func format(_ text: String) -> ListFormat? { ListFormat.detect(Array(text.utf8), isComplete: true) }
        #expect(format(" CDX N b a m s k r M S V g\n") == .captures)
        #expect(format("com,a)/x 20200101000000 https://a.com/x image/jpeg 200\n") == .captures)
        #expect(format("my CDX file.jpg\n") == .plainText)
        #expect(format("<?xml version='1.0'?><metalink></metalink>") == .metalink)
        #expect(
            format("['http://a/1.jpg', 'http://a/2.jpg']\n")
                == .notAList(reason: "it is a Python list; json.dump writes one with the right quotes"))
    }

    @Test func `an Internet shortcut has one address`() {
        var parser = PlainTextParser(base: .folder("/l"))
        let text = "[InternetShortcut]\r\nURL=https://a.com/x.jpg\r\nIconFile=https://a.com/i.ico\r\nHotKey=0\r\n"
        #expect(parser.events(text) == [.entry(ListEntry(line: 2, location: "https://a.com/x.jpg"))])
    }

    @Test(arguments: [
        "[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,2", "[DEFAULT]\r\nBASEURL=https://a.com/no.jpg",
    ])
    func `sections of an Internet shortcut before and behind its own are left out`(section: String) {
        let own = "[InternetShortcut]\r\nURL=https://a.com/x.jpg\r\n"
        let others = "[Other]\r\nURL=https://a.com/no.jpg\r\n"
        let text = section + "\r\n" + own + others
        #expect(ListFormat.detect(Array(text.utf8), isComplete: true) == .plainText)
        var parser = PlainTextParser(base: .folder("/l"))
        #expect(parser.events(text) == [.entry(ListEntry(line: 4, location: "https://a.com/x.jpg"))])
    }

    @Test func `an index may have a header of its program, times of ISO 8601 and types in capitals`() {
        let text = """
            !OpenWayback-CDXJ 1.0
            !meta {"name": "x"}
            com,a)/x 2020-01-01T00:00:00Z {"url": "https://a.com/x", "mime": "IMAGE/JPEG"}
            """
        #expect(ListFormat.detect(Array(text.utf8), isComplete: true) == .captures)
        #expect(ListFormat.detect(Array(text.split(separator: "\n")[2].utf8), isComplete: true) == .captures)
        #expect(locations(text) == ["3 https://a.com/x"])
    }
}
