import Raster

extension Probe {
    /// What `doctor` prints: every answer, every decision and its reason; name and value, nothing untrusted in it.
    public func report(window: WindowSize) -> [(name: String, value: String)] {
        let known = capabilities(window: window)
        return [
            ("TERM", Self.printable(environment.terminal)),
            ("program", Self.printable(version.isEmpty ? environment.program : version)),
            ("multiplexer", known.multiplexer?.rawValue ?? "none"),
            ("answers", isComplete ? "complete" : replies.isEmpty ? "none" : "incomplete"),
            ("window", "\(window.grid.columns)×\(window.grid.rows) cells, \(window.pixels) pixels"),
            ("cell", "\(known.cell.width)×\(known.cell.height) pixels, from \(known.cellSource.rawValue)"),
            ("graphics", "\(known.graphics.method.rawValue): \(known.graphics.reason)"),
            ("sixel", known.sixel ? "yes" : "no"),
            ("colour registers", "\(known.colorRegisters)" + (registers == nil ? ", assumed" : "")),
            ("largest sixel", "\(known.maximumSixelSize)" + (maximumGeometry == nil ? ", assumed" : "")),
            ("kitty graphics", known.kitty ? "yes" : "no"),
            ("iTerm2 pictures", known.iterm ? "yes" : "no"),
            ("synchronized output", known.synchronizedOutput ? "yes" : "no"),
            ("colours of text", known.colorDepth.rawValue),
            ("background", known.background.map { "\($0.red) \($0.green) \($0.blue)" } ?? "unknown"),
        ] + replies.map { ("reply", Self.printable("\($0)")) }
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(120).map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" })
    }
}
