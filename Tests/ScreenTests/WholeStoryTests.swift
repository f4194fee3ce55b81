import FaultServer
import Foundation
import TestSupport
import Testing

/// One visit from the first frame to the last, each step held against what a person looked at and found right.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WholeStoryTests {
    private let gate = FaultGate()

    private func server() async throws -> FaultServer {
        let picture = QuadrantPicture.one.png
        let half = picture.count / 2
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(picture.count)\r\n\r\n"
        return try await FaultServer.start([
            "/one.png": [.picture(QuadrantPicture.one.png)], "/two.png": [.picture(QuadrantPicture.two.png)],
            "/three.png": [.picture(QuadrantPicture.three.png)],
            // Chosen in vain; passing it again fetches nothing, only trying again does.
            "/gone.png": [.status(503), .picture(QuadrantPicture.three.png), .picture(QuadrantPicture.three.png)],
            "/slow.png": [
                FaultScript([
                    .send(Array(head.utf8) + picture.prefix(half)), .wait(gate), .send(Array(picture.dropFirst(half))),
                    .close,
                ])
            ],
        ])
    }

    @Test func `open, filter, mark three, process, export, cancel, retry, inspect the cache, quit`() async throws {
        let server = try await server()
        let place = try Workplace()
        let names = ["one", "two", "three", "gone", "slow"]
        let list = try place.write(
            names.map { server.url("/\($0).png") }.joined(separator: "\n"), to: "list.txt")
        let terminal = try FakeTerminal(
            ["browse", "--no-transitions", "--no-prefetch", "--retries", "0", list], in: place, columns: 110)
        let before = terminal.modes
        func step(_ name: String, _ keys: String, until words: String...) async throws {
            terminal.type(keys)
            try await eventually("\(name): \(words)") { words.allSatisfy(terminal.screen.contains) }
            try await expect(terminal, toShow: name)
        }

        try await step("1-open", "", until: "1/5", "120×80 PNG")
        try await step("2-filter", "/!o\r", until: "1 of 5", "three.png")
        try await step("3-all-again", "\u{1B}", until: "3/5", "60×60 PNG")
        try await step("4-marked", "gg   ", until: "4/5", "503")
        try await step("5-process", "ggP j ", until: "bw", "blur(6)")
        try await step("6-processed", "\r", until: "bw |> blur(6)")
        let folder = place.path("out/")
        // All in one piece, as a paste: Enter is refused until it comes alone.
        terminal.type(":export \(folder)\r")
        try await eventually("Enter is refused") { terminal.screen.contains("Enter once more") }
        var polls = 0
        try await eventually("Enter is taken") {
            if polls % 20 == 0 { terminal.type("\r") }
            polls += 1
            return !terminal.screen.contains(":export")
        }
        try await step("7-export", "", until: "exported 3 pictures")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
        try await step("8-loading", "G", until: "5/5", "50 %")
        try await step("9-cancelled", "xc", until: "cancelled")
        try await step("10-failed", "k", until: "4/5", "503 Service Unavailable", "tried once")
        try await step("11-retried", "R", until: "60×60 PNG")
        try await step("12-cache", "gc", until: "4 entries", "original")
        try await step("13-back", "q", until: "4/5", "60×60 PNG")
        terminal.type("q")

        try await eventually("the end") { terminal.status == 0 }
        try await eventually("the screen is given back") { terminal.screen.settings == TerminalManners() }
        #expect(terminal.modes == before)
        await server.stop()
    }

    /// Waits until the screen, numbers that no two runs share left out, is the recorded one.
    private func expect(_ terminal: FakeTerminal, toShow name: String) async throws {
        var (seen, same) = ("", 0)
        let isKnown = Golden.isRecorded("story-\(name)")
        try? await eventually("the recorded \(name)") {
            let now = terminal.screen.timeless
            same = now == seen ? same + 1 : 0
            seen = now
            // What is not recorded yet is taken when it stands still.
            return isKnown ? Golden.holds(now, "story-\(name)") : same > 50
        }
        #expect(try Golden.mismatch(of: seen, with: "story-\(name)") == nil)
    }
}

extension ScreenModel {
    /// The text, with a `#` where pixels are, without what differs from run to run.
    fileprivate var timeless: String {
        sketch.split(separator: "\n", omittingEmptySubsequences: false).map { Self.timeless(String($0)) }
            .joined(separator: "\n") + "\n"
    }

    private static func timeless(_ line: String) -> String {
        var text = line.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:port")
            .replacing(/[\d.]+ (ms|s|min|[KM]iB\/s|B\/s)\b/, with: "#")
            .replacing(/(×\d+) +\d+/) { "\($0.output.1)  #" }.replacing(/hits .* ever/, with: "hits #")
            .replacing(/memory \S+ [KMG]iB/, with: "memory #")
            .replacing(/(mem|disk) [<\d.]+\/\d+ [KMG]iB/) { "\($0.output.1) #" }
            .replacing(/disk [\d.]+ [KMG]iB of/, with: "disk # of")
            .replacing(/\/\S*alcedo-test\S*/, with: "/place")
        if text != line { text.replace(/\x20{2,}/, with: "  ") }
        while text.last == " " { text.removeLast() }
        return text
    }
}
