import Foundation
import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct ListReaderTests {
    private func events(_ source: ListSource) async throws(ListError) -> [ListEvent] {
        var events: [ListEvent] = []
        for try await event in ListReader(source) { events.append(event) }
        return events
    }

    @Test func `a list file is read with paths relative to its folder`() async throws {
        let folder = try TemporaryFolder()
        let text = "\u{FEFF}http://a.example/1.png\r\nsub/2.png\r\nftp://x/\r\n"
        let list = try folder.write("list.txt", Array(text.utf8))
        let found = try await events(.file(list))
        #expect(
            found == [
                .entry(ListEntry(line: 1, location: "http://a.example/1.png")),
                .entry(ListEntry(line: 2, location: "\(folder.path)/sub/2.png")),
                .rejected(line: 3, reason: "the scheme ftp is not one of http, https, file, data"),
            ])
    }

    @Test(arguments: [
        "{\"url\":\"a.png\"}\n", "title,url\n,a.png\n", "url\ttitle\na.png\n", "<img src=a.png>",
        "<urlset><url><image><loc>a.png</loc></image></url></urlset>", "a.png",
        "# Mine\n\n- ![](a.png)\n", "{\n\"more\": {\"photo\": \"a.png\"}\n}\n",
        "<rss><item><enclosure url='a.png'/></item></rss>",
    ])
    func `every format is detected by its content, compressed or not`(text: String) async throws {
        let folder = try TemporaryFolder()
        let utf16: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] }
        for bytes in [Array(text.utf8), gzip(Array(text.utf8)), Array("\u{FEFF}\(text)".utf8), utf16, gzip(utf16)] {
            let found = try await events(.file(try folder.write("list", bytes)))
            guard case .entry(let entry) = found.first else {
                Issue.record("no entry in \(found)")
                continue
            }
            #expect(entry.location == "\(folder.path)/a.png")
            #expect(found.count == 1)
        }
    }

    @Test(arguments: [
        "a.png\rhttp://a/1.png\r", "# old\ra.png\r\rb.png", "{\"url\":\"a.png\"}\r{\"url\":\"b.png\"}\r",
        "title,url\r\"x\ny\",a.png\rz,b.png\r", "[\r\"a.png\",\r\"b.png\"\r]\r", "<img src=a.png>\r<img src=b.png>",
    ])
    func `lists with CR line ends are read in every format`(text: String) async throws {
        let folder = try TemporaryFolder()
        let found = try await events(.file(try folder.write("list", Array(text.utf8))))
        let lines = text.replacing("\r", with: "\n")
        let expected = try await events(.file(try folder.write("same", Array(lines.utf8))))
        #expect(found.count == 2 && found == expected)
    }

    @Test func `truncated gzip gives its complete lines and then an error with the line`() async throws {
        let folder = try TemporaryFolder()
        var state: UInt64 = 1
        let text = (1...20_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return "http://a.example/\(state).png\n"
        }.joined()
        let packed = gzip(Array(text.utf8))
        let path = try folder.write("list.gz", Array(packed.prefix(packed.count / 2)))
        var found: [ListEvent] = []
        let error = await #expect(throws: ListError.self) {
            for try await event in ListReader(.file(path)) { found.append(event) }
        }
        #expect(found.count > 5000)
        #expect(found.allSatisfy { if case .entry(let entry) = $0 { entry.location.hasSuffix(".png") } else { false } })
        #expect(error == .unreadable(file: path, line: found.count, reason: "the gzip data ends early"))
    }

    @Test func `a gzip bomb of one line is one rejected line`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("bomb.gz", gzip([UInt8](repeating: 0x61, count: 4_000_000)))
        let found = try await events(.file(path))
        #expect(found == [.rejected(line: 1, reason: "the line is longer than 64 KiB")])
    }

    @Test func `a base replaces the folder of the list`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("page.html", Array("<img src=a.png>".utf8))
        var found: [ListEvent] = []
        for try await event in ListReader(.file(path), base: .web("http://a.example/x/")) { found.append(event) }
        var entry = ListEntry(line: 1, location: "http://a.example/x/a.png")
        entry.headers = [ListHeader(name: "Referer", value: "http://a.example/x/")]
        #expect(found == [.entry(entry)])
    }

    @Test func `an empty file is an empty list`() async throws {
        let folder = try TemporaryFolder()
        let found = try await events(.file(try folder.write("empty")))
        #expect(found.isEmpty)
    }

    @Test func `a list of many pieces keeps every line`() async throws {
        let folder = try TemporaryFolder()
        let text = (1...20_000).map { "http://a.example/\($0).png\n" }.joined()
        let found = try await events(.file(try folder.write("long.txt", Array(text.utf8))))
        #expect(found.count == 20_000)
        #expect(found.last == .entry(ListEntry(line: 20_000, location: "http://a.example/20000.png")))
    }

    @Test func `a line over the limit is rejected with its number`() async throws {
        let folder = try TemporaryFolder()
        let text = "a.png\n" + String(repeating: "x", count: 300_000) + "\nb.png\n"
        let found = try await events(.file(try folder.write("list.txt", Array(text.utf8))))
        #expect(found.count == 3)
        #expect(found[1] == .rejected(line: 2, reason: "the line is longer than 64 KiB"))
    }

    @Test func `a missing file, a folder and a binary are errors with the file name`() async throws {
        let folder = try TemporaryFolder()
        let binary = try folder.write("data.bin", [0, 1, 2, 3, 0, 0, 0, 0])
        await #expect(throws: ListError.missing(file: "/nowhere")) { try await events(.file("/nowhere")) }
        await #expect(throws: ListError.unreadable(file: folder.path, line: nil, reason: "Is a directory")) {
            try await events(.file(folder.path))
        }
        await #expect(throws: ListError.notAList(file: binary, line: nil, reason: "it holds binary data")) {
            try await events(.file(binary))
        }
    }

    @Test(arguments: [
        ("[\"http://a/1.png\",\n", "the JSON array has no closing bracket"),
        ("# x\n{\n\"a\":", "the JSON ends within this element"),
        ("<urlset>\n<url>", "the XML ends before </urlset>"),
    ])
    func `a truncated list is an error after its entries`(text: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("list", Array(text.utf8))
        await #expect(throws: ListError.unreadable(file: path, line: 2, reason: reason)) {
            try await events(.file(path))
        }
    }

    @Test(arguments: [
        ("<p>\n</p>", "the page contains no pictures"), ("<rss><item/>\n</rss>", "the feed contains no pictures"),
        ("[a page](http://b/c.html)", "the text contains no pictures"),
        ("<urlset><url><loc>http://a/</loc></url>\n</urlset>", "the sitemap contains no pictures, only pages: 1"),
    ])
    func `a document without pictures is reported`(text: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        let found = try await events(.file(try folder.write("list", Array(text.utf8))))
        #expect(found == [.rejected(line: 1, reason: reason)])
    }

    @Test func `a folder is read through symbolic links once`() async throws {
        let folder = try TemporaryFolder()
        for name in ["2.png", "10.png", ".hidden.png", "deep/er/1.gif", "notes.txt", ".secret/3.png"] {
            _ = try folder.write(name)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/deep/loop", withDestinationPath: folder.path)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/gone.png", withDestinationPath: "/nowhere")
        let found = try await events(.folder(folder.path))
        let expected = ["2.png", "10.png", "deep/er/1.gif"].enumerated().map { place, name in
            ListEvent.entry(ListEntry(line: place + 1, location: "\(folder.path)/\(name)"))
        }
        #expect(found == expected)
    }

    @Test func `a link to a folder above leads nowhere`() async throws {
        let folder = try TemporaryFolder()
        for name in ["beside.png", "in/1.png"] { _ = try folder.write(name) }
        try FileManager.default.createSymbolicLink(atPath: folder / "in/up", withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(atPath: folder / "in/root", withDestinationPath: "/")
        let found = try await events(.folder(folder / "in"))
        #expect(found == [.entry(ListEntry(line: 1, location: folder / "in/1.png"))])
    }

    @Test func `a single picture is one entry`() async throws {
        let found = try await events(.picture("http://a.example/x"))
        #expect(found == [.entry(ListEntry(line: 1, location: "http://a.example/x"))])
    }

    @Test func `a cancelled reading of a silent pipe throws cancelled`() async throws {
        let pipe = Pipe()
        let stream = ByteStream(
            descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe", closesDescriptor: false)
        let reading = Task { try await stream.read(line: 0) }
        reading.cancel()
        await #expect(throws: ListError.cancelled) { try await reading.value }
        try pipe.fileHandleForWriting.close()
    }

    /// Returns the lines of the events of each read; the source is idle between the texts.
    private func pieces(_ texts: [String]) async throws -> [[Int]] {
        let source = PieceSource(texts.flatMap { [Array($0.utf8), []] }.dropLast())
        var reader = ListTextReader(base: .folder("/")) { () throws(ListError) in source }
        var lines: [[Int]] = []
        while let events = try await reader.next() {
            lines.append(events.map { if case .entry(let entry) = $0 { entry.line } else { 0 } })
        }
        return lines.filter { !$0.isEmpty }
    }

    @Test func `the last line of a slow pipe is returned without waiting for the next`() async throws {
        let first = "http://a.example/1.png\n"
        #expect(try await pieces([first, "b.png\n", "c.png\nd.p", "ng\n"]) == [[1], [2], [3], [4]])
        #expect(try await pieces([first + "b.png\n", "c.png\n"]) == [[1], [2], [3]])
    }

    @Test func `in a list with options the last entry waits for its options`() async throws {
        let first = "http://a.example/1.png\n  out=A\n"
        #expect(try await pieces([first, "b.png\n", "  out=B\nc.png\n"]) == [[1], [3], [5]])
    }

    @Test func `a pipe is idle until bytes arrive or it ends`() async throws {
        let pipe = Pipe()
        let stream = ByteStream(
            descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe", closesDescriptor: false, idleTime: 1)
        #expect(await stream.isIdle())
        try pipe.fileHandleForWriting.write(contentsOf: Array("a".utf8))
        #expect(await !stream.isIdle())
        #expect(try await stream.read(line: 0) == Array("a".utf8))
        #expect(await stream.isIdle())
        try pipe.fileHandleForWriting.close()
        #expect(await !stream.isIdle())
    }
}
