import Foundation
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private let lines = #"""
        {"v":1,"type":"start","lists":["l"]}
        {"v":1,"type":"item","url":"http://h/a,b.jpg","list":"=l","line":1,"status":"fetched","bytes":7,"alpha":false,"color":{"model":"RGB","bits":8,"profile":"a \"b\""}}
        not JSON
        {"v":1,"type":"item","url":"http://h/</script><b>.jpg","list":"l","line":2,"status":"failed","error":{"code":2002,"kind":"status","text":"404 Not Found"}}
        """#

    private func report(_ name: String) throws -> String {
        try Data(lines.utf8).write(to: URL(filePath: place / "in.jsonl"))
        try ReportProgram.run([place / "in.jsonl"], to: place / name, mayReplace: false)
        return try String(contentsOfFile: place / name, encoding: .utf8)
    }

    @Test func `CSV has a header and one row for each item, quoted where needed`() throws {
        let rows = try report("r.csv").components(separatedBy: "\r\n")
        #expect(rows.count == 4 && rows[3].isEmpty)
        #expect(rows[0].hasPrefix("url,finalUrl,list,line,status,http,errorKind,errorCode,error,"))
        #expect(
            rows[1].hasPrefix("\"http://h/a,b.jpg\",,'=l,1,fetched,") && rows[1].contains("RGB,8,\"a \"\"b\"\"\",false")
        )
        #expect(rows[2].contains("failed,,status,2002,404 Not Found"))
    }

    @Test func `JSON lines have the items only`() throws {
        let rows = try report("r.jsonl").split(separator: "\n")
        #expect(rows.count == 2 && rows.allSatisfy { $0.contains("\"type\":\"item\"") })
    }

    @Test func `a page has no markup of items, and its policy allows no request`() throws {
        let page = try report("r.html")
        #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\""))
        #expect(!page.contains("</script><b>") && page.contains("\\u003c/script>\\u003cb>.jpg"))
        #expect(page.components(separatedBy: "</script>").count == 4)
        for word in ["http-equiv", "noscript", "aria-sort", "prefers-color-scheme", "color-scheme: light dark"] {
            #expect(page.contains(word) == (word != "prefers-color-scheme"), "\(word)")
        }
        #expect(!page.contains("src=") && !page.contains("href=") && !page.contains("url("))
    }

    /// U+0D4E forms one character with what follows it.
    @Test func `marks that join with the next character hide nothing`() throws {
        let mark = "\u{0D4E}"
        let type = "x\(mark)</script>\(mark)<script>,\(mark)=1"
        let line = #"{"v":1,"type":"item","url":"u","contentType":"\#(type)"}"#
        var (page, table) = (ReportConversion(to: .html, title: ""), ReportConversion(to: .csv, title: ""))
        let (row, cells) = (page.text(of: Data(line.utf8)) ?? "<", table.text(of: Data(line.utf8)) ?? "")
        #expect(!row.utf8.contains(UInt8(ascii: "<")))
        #expect(cells.contains("\"x\(mark)</script>"))
        #expect(!ReportPage.opening(title: mark + "<b>", columns: []).contains("<b>"))
    }

    @Test func `a hostile file name is escaped in the heading`() throws {
        let page = ReportPage.opening(title: "<script>\"&", columns: ["url"])
        #expect(page.contains("<title>alcedo: &lt;script&gt;&quot;&amp;</title>"))
    }

    @Test func `other extensions, existing files and missing sources are refused`() throws {
        #expect(throws: ProgramProblem.self) { try report("r.txt") }
        _ = try report("r.csv")
        #expect(throws: ProgramProblem.self) { try report("r.csv") }
        #expect(throws: ProgramProblem.self) {
            try ReportProgram.run([place / "none"], to: place / "s.csv", mayReplace: false)
        }
        #expect(!FileManager.default.fileExists(atPath: place / "s.csv"))
        #expect(!FileManager.default.fileExists(atPath: (place / "s.csv") + ".new"))
    }
}
