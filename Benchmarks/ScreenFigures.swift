import AlcedoAssets
import AlcedoDemoServer
import Foundation
import ImageLoading
import Raster

/// The built program in a terminal of ours: from keys to bytes, and what it takes.
enum ScreenFigures {
    private static let runs = 7
    /// How a sixel picture begins and ends.
    private static let picture = ["\u{1B}P0;1;0q", "\u{1B}\\"]
    private static let photos = ["Dune.jpg", "Garden.jpg", "FreshFlower.jpg"]
        .map { URL(filePath: "/usr/share/backgrounds/mate/nature/" + $0) }

    static func run() async throws {
        guard FileManager.default.isExecutableFile(atPath: Figures.program), let pictures = Assets.picturesFolder()
        else { throw TimedTerminal.Failure(text: "make build first: there is no \(Figures.program)") }
        let folder = pictures.path(percentEncoded: false)
        Report.line(
            "start to first frame", unit: "ms", try (0..<runs).map { _ in try firstFrame(folder) }, goal: "≤ 100")
        try selections()
        let names = try manyPhotos(300)
        try heldKey(names)
        try grid(names)
        let memory = try await memory(urls: 10_000, folder)
        Report.line("memory with 10,000 URLs, all prefetched", unit: "MiB", [memory], goal: "≤ 450")
    }

    /// From the start of the process to the first list on the screen.
    private static func firstFrame(_ folder: String) throws -> Double {
        let start = ContinuousClock.now
        let terminal = try TimedTerminal.browser([folder])
        defer { terminal.close() }
        let end = try terminal.wait(from: 0, for: ["aurora-over-lake.jpg"])
        return milliseconds(start.duration(to: end))
    }

    /// From the key to the last byte of a photo of 1000×700 pixels that was shown before.
    private static func selections() throws {
        let folder = Figures.folder.appending(path: "two")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let size = PixelSize(width: 1000, height: 700)
        for (number, photo) in photos.prefix(2).enumerated() {
            let image = try VipsDecoder().decode(Data(contentsOf: photo), within: nil, limits: .standard)
            let filled = try ResizingImageProcessor(referenceSize: size, mode: .fill).process(image)
            let cropped = try CroppingImageProcessor(size: size).process(filled)
            try cropped.pixels.pngData().write(to: folder.appending(path: "\(number).png"))
        }
        let terminal = try TimedTerminal.browser([folder.path(percentEncoded: false), "--no-transitions"])
        defer { terminal.close() }
        _ = try terminal.wait(from: 0, for: picture)
        _ = try press("j", terminal)
        let times = try (0..<20).map { try press($0.isMultiple(of: 2) ? "k" : "j", terminal) }
        let name = "selection to last byte, cached, 1000×700 px"
        Report.line(name, unit: "ms", times.map(\.last), goal: "≤ 16")
        Report.line("the same to the first byte", unit: "ms", times.map(\.first), goal: "≤ 16")
        let bytes = terminal.received.suffix(times.last?.bytes ?? 0)
        let bare = try (0..<20).map { _ in try self.bare(Data(bytes)) }
        Report.line(
            "\(bytes.count >> 10) KiB of it from cat, nothing else", unit: "ms", bare, goal: "the line's own time")
    }

    private static func press(
        _ key: String, _ terminal: TimedTerminal
    ) throws -> (first: Double, last: Double, bytes: Int) {
        let position = terminal.received.count
        let start = ContinuousClock.now
        terminal.send(key)
        let end = try terminal.wait(from: position, for: picture)
        let bytes = terminal.received.count - position
        let first = terminal.arrivals.first { $0.count > position }?.time ?? end
        // The terminal's answer to a picture is the next one's permission.
        try terminal.listen(until: end + .milliseconds(30))
        return (milliseconds(start.duration(to: first)), milliseconds(start.duration(to: end)), bytes)
    }

    /// What the line to a terminal takes by itself: from a key to the last byte that a program writes which has them.
    private static func bare(_ bytes: Data) throws -> Double {
        let file = Figures.folder.appending(path: "bare").path(percentEncoded: false)
        try (bytes + Data("END".utf8)).write(to: URL(filePath: file))
        let terminal = try TimedTerminal(
            ["/bin/sh", "-c", "stty raw -echo; echo READY; read line; cat '\(file)'; sleep 1"], environment: [:],
            columns: 220, rows: 50, cell: (8, 16))
        defer { terminal.close() }
        _ = try terminal.wait(from: 0, for: ["READY"])
        let start = ContinuousClock.now
        terminal.send("\n")
        return milliseconds(start.duration(to: try terminal.wait(from: 5, for: ["END"])))
    }

    /// `j` 30 times a second for 10 s over 300 photos: from each key to the name it chooses.
    private static func heldKey(_ names: [String]) throws {
        let terminal = try TimedTerminal.browser([
            Figures.folder.appending(path: "many.txt").path(percentEncoded: false)
        ])
        defer { terminal.close() }
        _ = try terminal.wait(from: 0, for: picture)
        let start = ContinuousClock.now
        var sent: [ContinuousClock.Instant] = []
        for key in 1..<names.count {
            try terminal.listen(until: start + .seconds(key) / 30)
            sent.append(.now)
            terminal.send("j")
        }
        _ = try terminal.wait(from: terminal.received.count - 1, for: ["\u{1B}\\"])
        try terminal.waitForQuiet(seconds: 1)
        let times = zip(sent, names.dropFirst()).map { time, name in
            terminal.arrival(of: name, after: time).map { milliseconds(time.duration(to: $0)) } ?? .infinity
        }
        Report.line("key to its row, 30 keys a second over 300 photos", unit: "ms", times, goal: "all ≤ 50")
    }

    /// From `t` to the last byte of a full grid of thumbnails in xterm as it comes, beside chafa for the same pictures in
    /// the same boxes: it is one program run, and starts before its files are read.
    private static func grid(_ names: [String]) throws {
        let files = names.map { Figures.folder.appending(path: "many/\($0).jpg").path(percentEncoded: false) }
        var (ours, theirs): ([Double], [Double]) = ([], [])
        var (bytes, peerBytes) = (0, 0)
        for _ in 0..<runs {
            let list = Figures.folder.appending(path: "many.txt").path(percentEncoded: false)
            let terminal = try TimedTerminal.browser([list, "--no-transitions"], asItComes: true)
            defer { terminal.close() }
            _ = try terminal.wait(from: 0, for: picture)
            try terminal.waitForQuiet(seconds: 0.5)
            let position = terminal.received.count
            let start = ContinuousClock.now
            terminal.send("t")
            try terminal.waitForQuiet(seconds: 1)
            let end = terminal.arrivals.last?.time ?? start
            ours.append(milliseconds(start.duration(to: end)))
            bytes = terminal.received.count - position
            let screen = String(decoding: terminal.received[position...], as: UTF8.self)
            let tiles = names.filter { screen.contains($0) }.count
            let heights = screen.matches(of: /"1;1;\d+;(\d+)/).compactMap { Int($0.output.1) }
            guard let height = heights.max(), tiles > 0 else { throw TimedTerminal.Failure(text: "no grid") }
            // The photos are 3 to 2, and as high as their strip; chafa counts cells of 8 × 8 pixels without a terminal.
            let box = "\(height * 3 / 2 / 8)x\(height / 8)"
            let peer = try Self.chafa(Array(files.prefix(tiles)), box)
            theirs.append(peer.time)
            peerBytes = peer.bytes
            if theirs.count == 1 { print("\(tiles) thumbnails, \(height) pixels high, in \(heights.count) strips") }
        }
        Report.line("full grid of thumbnails, xterm as it comes, \(bytes >> 10) KiB", unit: "ms", ours, goal: "≤ chafa")
        Report.line("the same pictures by chafa, \(peerBytes >> 10) KiB", unit: "ms", theirs, goal: "–")
    }

    private static func chafa(_ files: [String], _ box: String) throws -> (time: Double, bytes: Int) {
        let output = Figures.folder.appending(path: "chafa.six")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/chafa")
        process.arguments = ["-f", "sixel", "--animate", "off", "-s", box] + files
        process.standardOutput = try FileHandle(forWritingTo: output)
        let time = try process.timedRun()
        return (milliseconds(time), try Data(contentsOf: output).count)
    }

    private static func manyPhotos(_ count: Int) throws -> [String] {
        let folder = Figures.folder.appending(path: "many")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = (0..<count).map(Figures.name)
        let links = names.map { folder.appending(path: $0 + ".jpg") }
        for (number, link) in links.enumerated() {
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: photos[number % photos.count])
        }
        let list = links.map { $0.path(percentEncoded: false) }.joined(separator: "\n")
        try Data(list.utf8).write(to: Figures.folder.appending(path: "many.txt"))
        return names
    }

    /// The most memory of a browser that has listed and prefetched so many addresses.
    private static func memory(urls: Int, _ folder: String) async throws -> Double {
        let server = try await DemoServer.start(pictures: URL(filePath: folder), rate: nil)
        let list = Figures.folder.appending(path: "list.txt")
        let base = server.urls.filter { !$0.contains("lost") && !$0.contains("busy") && !$0.contains("moved") }
        let lines = (0..<urls).map { "\(base[$0 % base.count])?n=\($0)" }
        try Data(lines.joined(separator: "\n").utf8).write(to: list)
        let terminal = try TimedTerminal.browser([list.path(percentEncoded: false)])
        // A browser with nothing left to load writes nothing.
        try terminal.waitForQuiet(seconds: 3)
        let peak = Double(terminal.peakMemory) / 1_048_576
        terminal.close()
        await server.stop()
        return peak
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
}
