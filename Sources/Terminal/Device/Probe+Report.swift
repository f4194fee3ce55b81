import BrowserCore
import Raster

extension Probe {
    /// What `doctor` prints: every decision and its reason, every answer, and what was not answered.
    ///
    /// Name and value, nothing untrusted in it.
    public func report(window: WindowSize) -> [(name: String, value: String)] {
        let known = capabilities(window: window)
        return surroundings(known, window) + pictures(known)
            + [
                ("synchronized output", Self.verdict(known.synchronizedOutput, synchronizedReason)),
                ("colours of text", "\(known.colorDepth.rawValue): \(colorReason)"),
                ("background", Self.background(known.background) + ": " + backgroundReason),
            ] + replies.map { ("reply", Self.printable($0.words)) } + unanswered.map { ("no reply", $0) }
    }

    private func surroundings(
        _ known: TerminalCapabilities, _ window: WindowSize
    ) -> [(name: String, value: String)] {
        [
            ("TERM", Self.printable(environment.terminal)),
            ("program", program),
            (
                "multiplexer",
                known.multiplexer.map { "\($0.rawValue): \(environment.multiplexerReason)" } ?? "none"
            ),
        ] + (known.multiplexer == .tmux ? [("tmux", tmuxSummary)] : [])
            + [
                ("answers", isComplete ? "complete" : replies.isEmpty ? "none" : "incomplete"),
                ("window", "\(window.grid.columns)×\(window.grid.rows) cells, \(window.pixels) pixels"),
                ("cell", "\(known.cell.width)×\(known.cell.height) pixels: \(known.cellSource.explanation)"),
            ]
    }

    private func pictures(_ known: TerminalCapabilities) -> [(name: String, value: String)] {
        [
            ("graphics", "\(known.graphics.method.rawValue): \(known.graphics.reason)"),
            ("sixel", Self.verdict(known.sixel, sixelReason)),
            ("colour registers", "\(known.colorRegisters): \(registersReason)"),
            ("largest sixel", "\(known.maximumSixelSize): \(limitReason)"),
        ] + font(known) + [
            ("kitty graphics", Self.verdict(known.kitty, kittyReason)),
            ("iTerm2 pictures", Self.verdict(known.iterm, itermReason)),
        ]
    }

    private func font(_ known: TerminalCapabilities) -> [(name: String, value: String)] {
        guard known.isLinuxConsole else { return [] }
        let reason = consoleFont.map { "it has \($0.count) characters" } ?? "the console does not tell"
        return [("half blocks in the font", Self.verdict(known.consoleHasHalfBlocks, reason))]
    }

    private var program: String {
        if !version.isEmpty { return "\(Self.printable(version)): XTVERSION" }
        let named = Self.printable(environment.program)
        return named.isEmpty ? "unknown: XTVERSION was not answered" : "\(named): TERM_PROGRAM or LC_TERMINAL"
    }

    private var tmuxSummary: String {
        guard let tmux else { return awaitsTmux ? "asked, not answered yet" : "could not be asked" }
        let passing = tmux.allowsPassthrough ? "pictures may pass" : "no pictures may pass"
        return Self.printable(
            "\(tmux.version), \(passing), pane at \(tmux.origin.column),\(tmux.origin.row), in \(tmux.outerTerminal)")
    }

    private static func verdict(_ isSo: Bool, _ reason: String) -> String { (isSo ? "yes: " : "no: ") + reason }

    private static func background(_ color: Color?) -> String {
        color.map { "\($0.red) \($0.green) \($0.blue)" } ?? "unknown"
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(120).map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" })
    }
}
