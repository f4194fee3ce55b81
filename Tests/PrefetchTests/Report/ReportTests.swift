import AlcedoFilters
import Foundation
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private let lines = #"""
        {"v":1,"type":"start","lists":["l"]}
        {"v":1,"type":"item","url":"http://h/a,b.jpg","list":"=l","line":1,"status":"fetched","bytes":7,"camera":"Kestrel 9","taken":"2026-07-14","tags":["Cat","sea"],"alpha":false,"color":{"model":"RGB","bits":8,"profile":"a \"b\""}}
        not JSON
        {"v":1,"type":"item","url":"http://h/</script><b>.jpg","list":"l","line":2,"status":"failed","error":{"code":2002,"kind":"status","text":"404 Not Found"}}
        """#

    private func report(_ name: String, _ filter: String? = nil) throws -> String {
        try Data(lines.utf8).write(to: URL(filePath: place / "in.jsonl"))
        try ReportProgram.run(
            [place / "in.jsonl"], filter.map { try ReportFilter($0) }, to: place / name, mayReplace: filter != nil)
        return try String(contentsOfFile: place / name, encoding: .utf8)
    }

    @Test func `CSV has a header and one quoted row for each item`() throws {
        let rows = try report("r.csv").components(separatedBy: "\r\n")
        #expect(rows.count == 4 && rows[3].isEmpty)
        #expect(rows[0].hasPrefix("url,finalUrl,list,line,status,http,errorKind,errorCode,error,"))
        #expect(
            rows[1].hasPrefix("\"http://h/a,b.jpg\",,'=l,1,fetched,") && rows[1].contains("RGB,8,\"a \"\"b\"\"\",false")
        )
        #expect(rows[2].contains("failed,,status,2002,404 Not Found"))
    }

    @Test func `JSON lines contain only the items`() throws {
        let rows = try report("r.jsonl").split(separator: "\n")
        #expect(rows.count == 2 && rows.allSatisfy { $0.contains("\"type\":\"item\"") })
    }

    /// Filters and the number of the items that pass; nil for a text that is not a filter.
    private static let filters: [(String, Int?)] = [
        ("host:h", 2), ("status:failed", 1), ("status:404", 0), ("error:status", 1), ("error:found", 1),
        ("color:rgb", 1), ("alpha:no", 1), ("bytes<10", 1), ("!bytes<10", 1), ("*.jpg", 2), ("a,b", 1), ("dup", 0),
        ("a,b | status:failed", 2), ("w>1", 0), ("~/a", 1), ("camera:KESTREL", 1), ("!camera:kestrel", 1),
        ("taken:2026-07", 1), ("taken:2025", 0), ("tag:cat", 1), ("tag:SEA", 1), ("tag:ca", 0), ("mismatch", 0),
        ("/*.jpg/", 2), ("/h/", 0), ("/h/a*", 1), ("http://h", 2), ("12:30", 0), ("h=5", nil), ("a=b", 0),
        ("\"camera:k\"", 0), ("camera:\"kestrel 9\"", 1), ("type:", 2), ("type:\"jpeg xl\"", 0), ("type:tif", 0),
        ("bytes>=7", 1), ("size<=0.1K", 1), ("mpx>1", 0), ("status:4xx", 0), ("alpha:maybe", nil), ("alpha=yes", nil),
        ("type:bogus", nil), ("verdict:lost", nil), ("taken:26", nil), ("taken:2026-7", nil), ("camera:", nil),
        ("status:lost", nil), ("ratio:16", nil), ("ratio:0:9", nil), ("w>1K", nil), ("bytes>1.5", nil), ("w=5", nil),
        ("kind:original", nil), ("age>1d", nil), ("width>9", nil), ("dup:1", nil), ("host>a", nil), ("~(", nil),
        ("constructor:x", nil), ("valueOf>1", nil), ("__proto__:x", 0), ("type:constructor", nil), ("constructor", 0),
    ]

    @Test(arguments: filters) func `a filter selects the items of a report`(filter: String, count: Int?) throws {
        guard let count else {
            #expect(throws: FilterProblem.self) { try ReportFilter(filter) }
            return
        }
        #expect(try report("r.jsonl", filter).split(separator: "\n").count == count)
    }

    private static let node = "/usr/bin/node"

    /// The script prints the number of rows for each filter, or -1.
    @Test func `the script of the page selects the same items`() throws {
        let script = #"""
            const page = require("fs").readFileSync(process.argv[1], "utf8");
            const text = id => new RegExp(`id="${id}">([^]*?)</script>`).exec(page)[1];
            const code = /"use strict";[^]*(?=let visible = )/.exec(page)[0] + "return [rows, parse];";
            const document = { getElementById: id => ({ textContent: text(id) }) };
            const [rows, parse] = new Function("document", code)(document);
            console.log(JSON.parse(process.argv[2]).map(filter => {
              try {
                const choices = parse(filter);
                return rows.filter(row => choices.some(terms => terms.every(test => test(row)))).length;
              } catch (word) { if (typeof word !== "string") throw word; return -1; }
            }).join(" "));
            """#
        _ = try report("r.html")
        let filters = String(decoding: try JSONEncoder().encode(Self.filters.map(\.0)), as: UTF8.self)
        let (node, output) = (Process(), Pipe())
        node.executableURL = URL(filePath: Self.node)
        node.arguments = ["-e", script, place / "r.html", filters]
        node.standardOutput = output
        try node.run()
        let counts = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        #expect(counts.count == Self.filters.count)
        for (filter, count) in zip(Self.filters, counts) { #expect(filter.1 ?? -1 == Int(count), "\(filter.0)") }
    }

    @Test func `duplicate and similarity filters search the whole report`() throws {
        let items = [("a", "aa", "ff"), ("b", "bb", "fe"), ("c", "aa", "ff"), ("d", "dd", "ff00")].map {
            url, digest, hash in
            #"{"type":"item","url":"\#(url)","sha256":"\#(digest)","phash":"\#(hash)","width":160,"height":90}"#
        }
        try Data(items.joined(separator: "\n").utf8).write(to: URL(filePath: place / "in.jsonl"))
        for (filter, urls) in [
            ("dup", "ac"), ("like:1", "abc"), ("like:0", "ac"), ("!like:1", "d"), ("ratio:16:9", "abcd"),
        ] {
            try ReportProgram.run(
                [place / "in.jsonl"], try ReportFilter(filter), to: place / "out.csv", mayReplace: true)
            let rows = try String(contentsOfFile: place / "out.csv", encoding: .utf8).components(separatedBy: "\r\n")
            #expect(rows.dropFirst().map { $0.prefix(1) }.joined() == urls)
        }
    }

    @Test func `an HTML report escapes items, and its policy allows no request`() throws {
        let page = try report("r.html")
        #expect(
            page.contains(
                "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\""))
        #expect(!page.contains("</script><b>") && page.contains("\\u003c/script>\\u003cb>.jpg"))
        #expect(page.components(separatedBy: "</script>").count == 4)
        for word in ["http-equiv", "noscript", "aria-sort", "prefers-color-scheme", "color-scheme: light dark"] {
            #expect(page.contains(word) == (word != "prefers-color-scheme"), "\(word)")
        }
        #expect(!page.contains("src=") && !page.contains("href=") && !page.contains("url("))
    }

    /// U+0D4E forms one character with what follows it.
    @Test func `combining marks do not hide characters that must be escaped`() throws {
        let mark = "\u{0D4E}"
        let type = "x\(mark)</script>\(mark)<script>,\(mark)=1"
        let line = #"{"v":1,"type":"item","url":"u","contentType":"\#(type)"}"#
        var (page, table) = (ReportConversion(to: .html, title: ""), ReportConversion(to: .csv, title: ""))
        let object = try #require(ReportConversion.object(Data(line.utf8)))
        let (row, cells) = (page.text(of: object, Data()) ?? "<", table.text(of: object, Data()) ?? "")
        #expect(!row.utf8.contains(UInt8(ascii: "<")))
        #expect(cells.contains("\"x\(mark)</script>"))
        #expect(!ReportPage.opening(title: mark + "<b>", columns: []).contains("<b>"))
    }

    @Test(arguments: ["r.csv", "r.html", "r.jsonl"]) func `control and invisible characters are removed from a report`(
        name: String
    ) throws {
        let hostile = "\\u001b]0;x\\u0007 \u{9B}31m \u{202E} \u{FEFF} \\u0085 y\\u007f"
        let line = #"{"v":1,"type":"item","url":"u","title":"\#(hostile)","error":{"text":"\#(hostile)"}}"#
        try Data(line.utf8).write(to: URL(filePath: place / "in.jsonl"))
        try ReportProgram.run([place / "in.jsonl"], nil, to: place / name, mayReplace: true)
        let text = try String(contentsOfFile: place / name, encoding: .utf8)
        let isSafe = text.unicodeScalars.allSatisfy { scalar in
            "\r\n".unicodeScalars.contains(scalar)
                || ![.control, .format].contains(scalar.properties.generalCategory)
        }
        #expect(isSafe && text.contains("31m"))
    }

    @Test func `a hostile title is escaped in the heading`() throws {
        #expect(!ReportPage.opening(title: "a\u{1B}]0;\u{9B}\u{202E}b", columns: []).contains("\u{1B}"))
        let page = ReportPage.opening(title: "<script>\"&", columns: ["url"])
        #expect(page.contains("<title>alcedo: &lt;script&gt;&quot;&amp;</title>"))
    }

    @Test func `other extensions, existing files and missing sources are refused`() throws {
        #expect(throws: ProgramProblem.self) { try report("r.txt") }
        _ = try report("r.csv")
        #expect(throws: ProgramProblem.self) { try report("r.csv") }
        #expect(throws: ProgramProblem.self) {
            try ReportProgram.run([place / "none"], nil, to: place / "s.csv", mayReplace: false)
        }
        #expect(!FileManager.default.fileExists(atPath: place / "s.csv"))
        #expect(!FileManager.default.fileExists(atPath: (place / "s.csv") + ".new"))
    }
}
