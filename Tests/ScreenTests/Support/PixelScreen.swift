import Foundation
import TestSupport
import Testing

/// The program in a real terminal, on an X server without a screen, whose pixels can be looked at.
final class PixelScreen: Sendable {
    enum Terminal: String, Sendable, CaseIterable {
        case xterm, mlterm
        /// xterm as a terminal that knows no pictures.
        case plain

        static let withSixel = [xterm, mlterm]

        var name: String { self == .mlterm ? "mlterm" : "xterm" }

        /// A window of 100 × 30 cells in the upper left corner, black, without margins.
        var command: [String] {
            let size = "\(PixelScreen.columns)x\(PixelScreen.rows)+0+0"
            let font = "DejaVu Sans Mono"
            let sixel = [
                "-ti", "vt340", "-xrm", "XTerm*numColorRegisters: 256", "-xrm", "XTerm*maxGraphicSize: 2000x2000",
            ]
            let xterm = [
                "-b", "0", "+sb", "-fa", font, "-fs", "8", "-bg", "black", "-fg", "white", "-tn", "xterm-256color",
                "-geometry", size, "-e",
            ]
            // Without the space between its lines mlterm leaves what hangs out of a cell where it erases the text.
            let mlterm = [
                "--border=0", "--sbmod=none", "--im=none", "--restart=false", "--logmsg=false", "--type=xft", "-w",
                "12", "--lsp=3", "--deffont=\(font)", "-b", "black", "-f", "white", "-g", size, "-e",
            ]
            return switch self {
            case .xterm: ["/usr/bin/xterm"] + sixel + xterm
            case .plain: ["/usr/bin/xterm"] + xterm
            case .mlterm: ["/usr/bin/mlterm"] + mlterm
            }
        }
    }

    static let columns = 100
    static let rows = 30
    static let background: [UInt8] = [0, 0, 0]

    let kind: Terminal
    let place: Workplace
    // In the order in which they are ended.
    private let terminal: Tool
    private let server: Tool
    private let environment: [String: String]
    private let window: String

    /// Opens the pictures of the place, or a list; when the program has ended, a shell says `over` and keeps the window.
    ///
    /// `script` runs the program, which it is given as `$0`, in another way.
    init(
        _ place: Workplace, in kind: Terminal = .xterm, _ options: [String] = ["--no-transitions"],
        list: String? = nil,
        script: String = #""$0" "$@"; echo over; read -r line"#
    ) async throws {
        // Without -noreset the server starts anew when its last client leaves, and a terminal that is just
        // connecting while a question of xdotool's ends would be thrown out.
        let server = try Tool(
            ["/usr/bin/Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "1200x900x24", "-nolisten", "tcp"],
            environment: place.environment, folder: place.folder)
        try await eventually("the X server") { server.output.last == 10 }
        let number = String(decoding: server.output.dropLast(), as: UTF8.self)
        let environment = place.environment.merging(["DISPLAY": ":\(number)"]) { $1 }
        let program = [try BuiltProgram.url().path, "browse"] + options + [list ?? place.pictures.path]
        let command = ["/bin/sh", "-c", script] + program
        terminal = try Tool(kind.command + command, environment: environment, folder: place.folder)
        (self.kind, self.place, self.server, self.environment) = (kind, place, server, environment)
        window = try await Self.window(of: kind, environment, place)
        try await xdotool(["windowfocus", "--sync", window])
        try await eventually("the line between list and preview") { try await shot().line != nil }
    }

    private static func window(
        of kind: Terminal, _ environment: [String: String], _ place: Workplace
    ) async throws -> String {
        var window = ""
        try await eventually("the window") {
            let found = try await Tool.run(
                ["/usr/bin/xdotool", "search", "--onlyvisible", "--class", kind.name], environment: environment,
                folder: place.folder)
            window = String(decoding: found, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
            return !window.isEmpty
        }
        return window
    }

    /// Presses keys by their X names: `j`, `question`, `Escape`.
    func press(_ keys: String...) async throws { try await press(keys) }

    func press(_ keys: [String]) async throws { try await xdotool(["key"] + keys) }

    /// Changes the window's size, in pixels, and waits until it has it, but for a part of a cell.
    func resize(width: Int, height: Int) async throws {
        try await xdotool(["windowsize", window, "\(width)", "\(height)"])
        try await eventually("the window has its size") {
            let shot = try await shot()
            return abs(shot.width - width) < 20 && abs(shot.height - height) < 20
        }
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

    /// Waits until the pane holds the picture and nothing else; answers what is to be seen then.
    @discardableResult
    func whole(_ name: String, error limit: Double = 0.02) async throws -> Bitmap {
        var result: Bitmap?
        try await eventually("\(name) alone in the pane") {
            let shot = try await shot()
            guard let area = shot.picture,
                let reference = try await reference(name, width: area.x.count, height: area.y.count)
            else { return false }
            result = shot
            return shot.meanError(to: reference, at: area) <= limit
        }
        return try #require(result)
    }

    @discardableResult
    private func xdotool(_ arguments: [String]) async throws -> Data {
        try await Tool.run(["/usr/bin/xdotool"] + arguments, environment: environment, folder: place.folder)
    }
}

extension Bitmap {
    /// Where the line between list and preview stands; its cells may have gaps between them.
    var line: Int? {
        let rows = 4..<height * 3 / 4
        return (width / 4..<width).first { x in
            rows.count { !shows(PixelScreen.background, x: x, y: $0, within: 32) } > rows.count * 3 / 4
        }
    }

    /// Where a picture may stand: right of that line, below the title and above the text below it.
    var pane: Area { Area(x: (line ?? 0) + 8..<width, y: max(26, height / 18)..<min(height * 3 / 4, height - 112)) }

    /// Where the picture stands: all of the pane that is not background.
    var picture: Area? { bounds(apartFrom: PixelScreen.background, in: pane) }
}
