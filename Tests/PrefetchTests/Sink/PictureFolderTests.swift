import AlcedoConfig
import AlcedoLists
import Foundation
import Glibc
import ProgramTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoPrefetch
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct PictureFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ template: String = "{name}{ext}", xattr: Bool = false) throws -> PictureFolder {
        try PictureFolder(folder / "out", NameTemplate(template), keepsAddress: xattr)
    }

    private func item(_ id: Int, _ location: String) -> ItemRecord {
        ItemRecord(id: id, entry: ListEntry(line: id + 1, location: location), list: "list.txt")
    }

    /// Registers and writes a picture as a run does.
    @discardableResult
    private func add(
        _ id: Int, _ location: String, _ text: String, to sink: PictureFolder, modified: String? = nil,
        format: ImageFormat = .jpeg
    ) throws -> String? {
        let item = item(id, location)
        _ = sink.register(item)
        var facts = ImageFacts(PictureFacts())
        (facts.picture.format, facts.lastModified) = (format, modified)
        facts.sha256 = String(text.utf8.reduce(0) { $0 * 31 + Int($1) }, radix: 16)
        let result = DataResult(cacheType: .none, byteCount: text.utf8.count, metrics: nil, facts: facts)
        return try sink.add(item, SinkPicture(data: Data(text.utf8), report: ItemReport(item, .finished(result)))).file
    }

    private func files() -> [String] { folder.files().filter { !$0.hasSuffix("manifest.jsonl") }.sorted() }

    private func lines() throws -> [[String: Any]] {
        try folder.read("out/manifest.jsonl").split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `names depend on the order of the list, not on that of the answers`() throws {
        let sink = try open()
        let locations = ["https://h/x/a.jpg", "https://h/y/a.jpg", "https://h/z/a.png"]
        for (id, location) in locations.enumerated() { #expect(!sink.register(item(id, location))) }
        for id in [1, 2, 0] {
            var facts = ImageFacts(PictureFacts())
            facts.picture.format = id == 2 ? .png : .jpeg
            let result = DataResult(cacheType: .none, byteCount: 1, metrics: nil, facts: facts)
            let item = item(id, locations[id])
            let picture = SinkPicture(data: Data("\(id)".utf8), report: ItemReport(item, .finished(result)))
            _ = try sink.add(item, picture)
        }
        #expect(files() == ["out/a-2.jpg", "out/a.jpg", "out/a.png"])
        #expect(try folder.read("out/a.jpg") == "0" && folder.read("out/a-2.jpg") == "1")
        #expect(try lines().map { $0["file"] as? String } == ["a-2.jpg", "a.png", "a.jpg"])
    }

    @Test func `no file of another origin is replaced; one with equal bytes is taken over`() throws {
        try folder.write("out/a.jpg", Array("mine".utf8))
        try folder.write("out/b.jpg", Array("same".utf8))
        let sink = try open()
        #expect(try add(0, "https://h/a.jpg", "other", to: sink) == "a-2.jpg")
        #expect(try add(1, "https://h/b.jpg", "same", to: sink) == "b.jpg")
        #expect(try folder.read("out/a.jpg") == "mine")
        #expect(files() == ["out/a-2.jpg", "out/a.jpg", "out/b.jpg"])
    }

    @Test func `a picture is made again by another recipe, and replaces its own file only`() throws {
        func run(_ quality: Int) throws -> Bool {
            var encoding = PictureEncoding()
            _ = encoding.read("jpg:\(quality)")
            let sink = try PictureFolder(folder / "out", .standard, keepsAddress: false, encoding)
            let item = item(0, "https://h/a.png")
            let isDone = sink.register(item)
            var report = ItemReport(item, .planned)
            let file = Data("quality \(quality)".utf8)
            report.written = WrittenFacts(file, .jpeg, recipe: encoding.text(of: item.entry))
            report.bytes = 1000
            if !isDone { _ = try sink.add(item, SinkPicture(data: file, report: report)) }
            return isDone
        }
        #expect(try [run(90), run(90), run(80), run(80)] == [false, true, false, true])
        #expect(try files() == ["out/a.jpg"] && folder.read("out/a.jpg") == "quality 80")
    }

    @Test func `one process at a time writes to a folder`() throws {
        let first = try open()
        #expect(throws: ProgramProblem.self) { try open() }
        try add(0, "https://h/a.jpg", "a", to: first)
    }

    @Test func `a line that was cut off by a kill is removed, and hidden files are, too`() throws {
        try {
            let first = try open()
            try add(0, "https://h/a.jpg", "aa", to: first)
            try add(1, "https://h/b.jpg", "bb", to: first)
            try add(2, "https://h/c.jpg", "cc", to: first)
        }()
        try folder.write("out/.alcedo-part-7", [1])
        try folder.write("out/c.jpg", Array("c".utf8))
        try FileManager.default.removeItem(atPath: folder / "out/b.jpg")
        let text = try folder.read("out/manifest.jsonl")
        try folder.write("out/manifest.jsonl", Array((text + #"{"id":"00"#).utf8))
        let second = try open()
        #expect(files() == ["out/a.jpg", "out/c.jpg"])
        let known = ["a", "b", "c", "d"].enumerated().map { second.register(item($0, "https://h/\($1).jpg")) }
        #expect(known == [true, false, false, false])
        try add(3, "https://h/d.jpg", "dd", to: second)
        #expect(try lines().count == 4)
    }

    @Test func `a picture that changed on its server replaces its own file`() throws {
        _ = try { try add(0, "https://h/a.jpg", "old", to: try open()) }()
        let second = try open()
        #expect(try add(0, "https://h/a.jpg", "newer", to: second) == "a.jpg")
        #expect(try folder.read("out/a.jpg") == "newer" && files() == ["out/a.jpg"])
        #expect(try lines().compactMap { $0["bytes"] as? Int } == [3, 5])
    }

    @Test func `equal bytes share a file that is named by their digest`() throws {
        let sink = try open("{sha256}{ext}")
        let one = try add(0, "https://h/a.jpg", "x", to: sink)
        #expect(try add(1, "https://h/b.jpg", "x", to: sink) == one)
        #expect(files().count == 1)
    }

    @Test func `a file has the time that the server states, and its address on demand`() throws {
        let sink = try open(xattr: true)
        try add(0, "https://h/a.jpg?token=hush", "a", to: sink, modified: "Wed, 21 Oct 2015 07:28:00 GMT")
        var status = stat()
        #expect(stat(folder / "out/a.jpg", &status) == 0 && status.st_mtim.tv_sec == 1_445_412_480)
        try add(1, "https://h/b.jpg", "b", to: sink, modified: "Wed, 21 Oct 2999 07:28:00 GMT")
        #expect(stat(folder / "out/b.jpg", &status) == 0 && status.st_mtim.tv_sec < 20_000_000_000)
    }

    @Test func `a name that is a folder fails for its picture alone`() throws {
        try folder.write("out/h", Array("a file".utf8))
        let sink = try open("{host}/{name}{ext}")
        let problem = #expect(throws: SinkProblem.self) { try add(0, "https://h/a.jpg", "a", to: sink) }
        #expect(problem?.endsRun == false && problem?.text.contains("cannot write h/a.jpg") == true)
        #expect(try add(1, "https://other/a.jpg", "a", to: sink) == "other/a.jpg")
        #expect(files() == ["out/h", "out/other/a.jpg"])
    }

    @Test func `a folder that cannot be written is refused`() {
        #expect(throws: ProgramProblem.self) {
            try PictureFolder("/proc/pictures", .standard, keepsAddress: false)
        }
    }
}
