import AlcedoLists
import Foundation
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct FailureListTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    @Test func `the columns of a list stay with its failures`() async throws {
        var entry = ListEntry(line: 1, location: "https://host/a.png")
        entry.columns = [
            "author": .string("Ann\n\"B\""), "id": .integer(9_007_199_254_740_993), "n": .array([.flag(true)]),
        ]
        let list = try FailureList(path: place / "failed.txt")
        list.add(entry, reason: "404")
        list.close()
        var found: [ListEvent] = []
        for try await event in ListReader(.file(place / "failed.txt")) { found.append(event) }
        entry.line = 2
        #expect(found == [.entry(entry)])
    }

    @Test func `the list of failures is readable as a list`() async throws {
        // Given two failures, one with a reason that could act on a terminal or be taken for an address
        let list = try FailureList(path: place / "failed.txt")
        list.add(ListEntry(line: 1, location: "https://host/a.png?token=keep"), reason: "404 Not Found")
        list.add(ListEntry(line: 2, location: "/pictures/b.png"), reason: "bad\nhttps://evil/\u{1B}[2J")
        list.close()
        // When the list is read again
        var locations: [String] = []
        for try await event in ListReader(.file(place / "failed.txt")) {
            if case .entry(let entry) = event { locations.append(entry.location) } else { Issue.record("\(event)") }
        }
        // Then it names those two as they were, and no more
        #expect(locations == ["https://host/a.png?token=keep", "/pictures/b.png"])
        #expect(try place.read("failed.txt").hasPrefix("# 404 Not Found\n"))
        #expect(try !place.read("failed.txt").contains("\u{1B}"))
    }

    @Test func `an entry with all its fields is written and read back`() async throws {
        // Given a failure of which the list said everything there is to say
        var entry = ListEntry(line: 2, location: "https://host/a.png", title: "A\nB")
        entry.alternatives = ["https://mirror/a.png", "https://other/a.png"]
        (entry.key, entry.lowData, entry.priority) = ("a", "https://host/small.png", 0.75)
        entry.headers = [ListHeader(name: "Cookie", value: "a=b"), ListHeader(name: "Referer", value: "https://host/")]
        (entry.timeToLive, entry.process) = (.seconds(3600), "blur(2) |> bw")
        (entry.sha256, entry.pin, entry.tags) = (String(repeating: "ab", count: 32), true, ["x", "y z"])
        let list = try FailureList(path: place / "failed.txt")
        list.add(entry, reason: "404 Not Found")
        list.close()
        // When the list is read again
        var entries: [ListEntry] = []
        for try await event in ListReader(.file(place / "failed.txt")) {
            if case .entry(let entry) = event { entries.append(entry) } else { Issue.record("\(event)") }
        }
        // Then it says the same, but for the title's line end
        entry.title = "A B"
        #expect(entries == [entry])
    }

    @Test func `only the owner may read the file`() throws {
        _ = try FailureList(path: place / "failed.txt")
        let attributes = try FileManager.default.attributesOfItem(atPath: place / "failed.txt")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `an older file is emptied when the first failure is written`() throws {
        try place.write("failed.txt", "old".utf8)
        let list = try FailureList(path: place / "failed.txt")
        #expect(try place.read("failed.txt") == "old")
        list.begin()
        #expect(try place.read("failed.txt").isEmpty)
    }

    @Test func `a link or a pipe is written through and not replaced`() throws {
        // Given a link to a file, and a pipe with a reader
        try FileManager.default.createSymbolicLink(atPath: place / "link", withDestinationPath: place / "real.txt")
        #expect(mkfifo(place / "pipe", 0o600) == 0)
        let reader = open(place / "pipe", O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        // When they are written as failed lists
        for name in ["link", "pipe"] {
            let list = try FailureList(path: place / name)
            list.begin()
            list.add(ListEntry(line: 1, location: "https://host/a.png"), reason: "404 Not Found")
            list.close()
        }
        // Then what they lead to has the lines
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "# 404 Not Found\nhttps://host/a.png\n")
        #expect(try place.read("real.txt").hasSuffix("https://host/a.png\n"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place / "link") == place / "real.txt")
    }

    @Test func `a write error is reported`() throws {
        let list = try FailureList(path: "/dev/full")
        for line in 1...2 { list.add(ListEntry(line: line, location: "https://host/a.png"), reason: "404 Not Found") }
        #expect(list.problem?.contains("No space left on device") == true)
    }

    @Test func `a name with line breaks and control characters is read back`() async throws {
        let odd = "/pictures/a\nb\tc\u{1B}.png "
        let list = try FailureList(path: place / "failed.txt")
        list.add(ListEntry(line: 1, location: odd), reason: "gone")
        list.close()
        var locations: [String] = []
        for try await event in ListReader(.file(place / "failed.txt")) {
            if case .entry(let entry) = event { locations.append(entry.location) } else { Issue.record("\(event)") }
        }
        #expect(locations == [odd])
    }

    @Test func `a path that cannot be written is reported`() {
        let problem = #expect(throws: ProgramProblem.self) { try FailureList(path: "/nowhere/failed.txt") }
        #expect(problem?.description.contains("/nowhere/failed.txt: No such file or directory") == true)
    }
}
