import Foundation
import TestSupport
import Testing

/// The program in a real terminal: xterm on an X server without a screen, whose pixels can be looked at.
final class PixelScreen: Sendable {
    static let columns = 100
    static let rows = 30
    static let background: [UInt8] = [0, 0, 0]

    private let place: Workplace
    // In the order in which they are ended.
    private let terminal: Tool
    private let server: Tool
    private let environment: [String: String]
    private let window: String

    /// Opens the pictures of the place; when the program has ended, a shell says `over` and keeps the window.
    init(_ place: Workplace, hasSixel: Bool = true) async throws {
        // Without -noreset the server starts anew when its last client leaves, and a terminal that is just
        // connecting while a question of xdotool's ends would be thrown out.
        let server = try Tool(
            ["/usr/bin/Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "1000x640x24", "-nolisten", "tcp"],
            environment: place.environment, folder: place.folder)
        try await eventually("the X server") { server.output.last == 10 }
        let number = String(decoding: server.output.dropLast(), as: UTF8.self)
        let environment = place.environment.merging(["DISPLAY": ":\(number)"]) { $1 }
        let sixel = [
            "-ti", "vt340", "-xrm", "XTerm*numColorRegisters: 256", "-xrm", "XTerm*maxGraphicSize: 2000x2000",
        ]
        let options = [
            "-b", "0", "+sb", "-fa", "DejaVu Sans Mono", "-fs", "8", "-bg", "black", "-fg", "white", "-tn",
            "xterm-256color", "-geometry", "\(Self.columns)x\(Self.rows)+0+0",
        ]
        let command = [
            "/bin/sh", "-c", #""$0" "$@"; echo over; read -r line"#, try BuiltProgram.url().path, "browse",
            "--no-transitions", place.pictures.path,
        ]
        terminal = try Tool(
            ["/usr/bin/xterm"] + (hasSixel ? sixel : []) + options + ["-e"] + command, environment: environment,
            folder: place.folder)
        (self.place, self.server, self.environment) = (place, server, environment)
        window = try await Self.window(environment, place)
        try await xdotool("windowfocus", "--sync", window)
        try await eventually("the line between list and preview") { try await shot().line != nil }
    }

    private static func window(_ environment: [String: String], _ place: Workplace) async throws -> String {
        var window = ""
        try await eventually("the window") {
            let found = try await Tool.run(
                ["/usr/bin/xdotool", "search", "--onlyvisible", "--class", "xterm"], environment: environment,
                folder: place.folder)
            window = String(decoding: found, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
            return !window.isEmpty
        }
        return window
    }

    /// Presses a key by its X name: `j`, `question`, `Escape`.
    func press(_ key: String) async throws { try await xdotool("key", key) }

    /// Changes the window's size, in pixels.
    func resize(width: Int, height: Int) async throws {
        try await xdotool("windowsize", window, "\(width)", "\(height)")
    }

    /// What is to be seen.
    func shot() async throws -> Bitmap {
        let data = try await Tool.run(
            ["/usr/bin/import", "-window", window, "-depth", "8", "ppm:-"], environment: environment,
            folder: place.folder)
        return try #require(Bitmap(ppm: data))
    }

    /// The picture as the program itself scales it into a box.
    func reference(_ name: String, width: Int, height: Int) async throws -> Bitmap? {
        let path = place.pictures.appending(path: name).path
        return Bitmap(
            ppm: try await Tool.run(
                [try BuiltProgram.url().path, "show", "--format", "ppm", "--size", "\(width)x\(height)", path],
                environment: place.environment, folder: place.folder))
    }

    @discardableResult
    private func xdotool(_ arguments: String...) async throws -> Data {
        try await Tool.run(["/usr/bin/xdotool"] + arguments, environment: environment, folder: place.folder)
    }
}

extension Bitmap {
    /// Where the line between list and preview stands.
    var line: Int? {
        (width / 4..<width).first { x in
            (0..<height * 3 / 4).allSatisfy { !shows(PixelScreen.background, x: x, y: $0) }
        }
    }

    /// Where a picture may stand: right of that line, above the text below it.
    var pane: Area { Area(x: (line ?? 0) + 8..<width, y: 0..<height * 3 / 4) }

    /// Where the picture stands: all of the pane that is not background.
    var picture: Area? { bounds(apartFrom: PixelScreen.background, in: pane) }
}
