import BrowserCore
import Raster

// The reasons for each decision, as short texts for users.
extension Probe {
    var sixelReason: String {
        if attributes.contains(4) { return "DA1 lists attribute 4" }
        if graphicsGeometry != nil { return "the terminal answered XTSMGRAPHICS" }
        return attributes.isEmpty ? "DA1 was not answered" : "DA1 does not list attribute 4"
    }

    var registersReason: String {
        if registers != nil { return "XTSMGRAPHICS" }
        return "assumed, as XTSMGRAPHICS " + (hasFailed(item: 1) ? "was refused" : "was not answered")
    }

    var limitReason: String {
        if maximumGeometry != nil { return "XTSMGRAPHICS" }
        return "assumed, as XTSMGRAPHICS " + (hasFailed(item: 2) ? "was refused" : "was not answered")
    }

    var kittyReason: String {
        for case .kittyGraphics(31, let message) in replies {
            return message == "OK" ? "the terminal answered the kitty graphics question" : "it was refused"
        }
        return environment.mayKnowKitty ? "the question was not answered" : "not asked, as it would be shown or kept"
    }

    var itermReason: String {
        isITerm ? "the terminal's name is known for it" : "the terminal's name is not known for it"
    }

    var synchronizedReason: String {
        for case .mode(2026, let state) in replies { return "mode 2026 is in state \(state)" }
        return "the question about mode 2026 was not answered"
    }

    var colorReason: String {
        let terminal = environment.terminal
        if environment.noColor { return "NO_COLOR is set" }
        if terminal.hasPrefix("vt") { return "TERM names a terminal without colours" }
        if ["truecolor", "24bit"].contains(environment.colorTerminal) { return "COLORTERM" }
        if directColor == true {
            return environment.multiplexer == .tmux
                ? "tmux has the feature RGB for the terminal outside"
                : "the terminal's answer (XTGETTCAP, DECRQSS)"
        }
        if kitty || isITerm { return "the terminal's kind" }
        return "TERM"
    }

    var backgroundReason: String {
        if background != nil { return "OSC 11" }
        return environment.mayAskBackground ? "OSC 11 was not answered" : "not asked"
    }

    /// The names of the queries without a reply.
    var unanswered: [String] {
        let names: [(ControlSequence, String, (TerminalReply) -> Bool)] = [
            (.queryBackground, "OSC 11", { if case .background = $0 { true } else { false } }),
            (.queryVersion, "XTVERSION", { if case .version = $0 { true } else { false } }),
            (.querySynchronizedOutput, "DECRQM 2026", { if case .mode(2026, _) = $0 { true } else { false } }),
            (.queryTextAreaPixels, "CSI 14 t", { if case .textAreaPixels = $0 { true } else { false } }),
            (.queryCellPixels, "CSI 16 t", { if case .cellPixels = $0 { true } else { false } }),
            (.queryColorRegisters, "XTSMGRAPHICS 1", { if case .graphics(1, _, _) = $0 { true } else { false } }),
            (.queryGraphicsGeometry, "XTSMGRAPHICS 2", { if case .graphics(2, _, _) = $0 { true } else { false } }),
            (
                .queryDirectColor, "XTGETTCAP, DECRQSS",
                { reply in
                    switch reply {
                    case .capability, .rendition: true
                    default: false
                    }
                }
            ),
            (.queryKittyGraphics, "kitty graphics", { if case .kittyGraphics = $0 { true } else { false } }),
            (.queryAttributes, "DA1", { if case .attributes = $0 { true } else { false } }),
        ]
        return names.filter { queries.contains($0.0) && !replies.contains(where: $0.2) }.map(\.1)
    }

    private func hasFailed(item: Int) -> Bool {
        replies.contains { if case .graphics(item, let status, _) = $0 { status != 0 } else { false } }
    }

    var isITerm: Bool {
        let names = ["iTerm", "WezTerm", "vscode", "mintty", "WarpTerminal", "Tabby", "Hyper"]
        return names.contains { version.hasPrefix($0) || environment.program.hasPrefix($0) }
    }
}

extension CellSizeSource {
    /// The source of the cell size, for users.
    var explanation: String {
        switch self {
        case .cellReport: "the cell's own report (CSI 16 t)"
        case .graphicsGeometry: "the area for pictures (XTSMGRAPHICS)"
        case .window: "the system's window size (TIOCGWINSZ)"
        case .textAreaReport: "the text area's report (CSI 14 t)"
        case .setting: "the setting, as the terminal does not say"
        case .fallback: "assumed, as the terminal does not say"
        }
    }
}

extension Probe {
    /// Returns the report of `doctor` as name and value: every decision with its reason, every reply, and the queries
    /// without a reply.
    ///
    /// Contains printable ASCII from the terminal only.
    package func report(window: WindowSize) -> [(name: String, value: String)] {
        let known = capabilities(window: window)
        return identity(known, window) + pictures(known)
            + [
                ("synchronized output", Self.verdict(known.synchronizedOutput, synchronizedReason)),
                ("colours of text", "\(known.colorDepth.rawValue): \(colorReason)"),
                ("background", Self.background(known.background) + ": " + backgroundReason),
            ] + replies.map { ("reply", Self.printable($0.summary)) } + unanswered.map { ("no reply", $0) }
    }

    private func identity(
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
