import BrowserCore
import Raster

// The reasons for each decision, as short texts for users.
extension Probe {
    var sixelReason: String {
        if attributes.contains(4) { return "DA1 lists attribute 4" }
        if graphicsGeometry != nil { return "the terminal answered XTSMGRAPHICS" }
        return attributes.isEmpty ? "DA1 was not answered" : "DA1 does not list attribute 4"
    }

    /// Returns the reason for a value of XTSMGRAPHICS.
    private func limitReason(isKnown: Bool, item: Int) -> String {
        if isKnown { return "XTSMGRAPHICS" }
        let isRefused = replies.contains {
            if case .graphics(item, let status, _) = $0 { status != 0 } else { false }
        }
        return "assumed, as XTSMGRAPHICS " + (isRefused ? "was refused" : "was not answered")
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

    private var synchronizedReason: String {
        for case .mode(2026, let state) in replies { return "mode 2026 is in state \(state)" }
        return "the question about mode 2026 was not answered"
    }

    private var colorReason: String {
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

    private var backgroundReason: String {
        if background != nil { return "OSC 11" }
        return environment.mayAskBackground ? "OSC 11 was not answered" : "not asked"
    }

    /// The names of the queries without a reply, which are prefixes of the replies' summaries.
    private var unanswered: [String] {
        let names: [(query: ControlSequence, name: String)] = [
            (.queryBackground, "OSC 11"), (.queryVersion, "XTVERSION"), (.querySynchronizedOutput, "DECRQM 2026"),
            (.queryTextAreaPixels, "CSI 14 t"), (.queryCellPixels, "CSI 16 t"),
            (.queryColorRegisters, "XTSMGRAPHICS 1"), (.queryGraphicsGeometry, "XTSMGRAPHICS 2"),
            (.queryDirectColor, "XTGETTCAP, DECRQSS"), (.queryKittyGraphics, "kitty graphics"),
            (.queryAttributes, "DA1"),
        ]
        let unanswered = names.filter { query, name in
            let prefixes = name.split(separator: ", ")
            return queries.contains(query)
                && !replies.contains { reply in prefixes.contains { reply.summary.hasPrefix($0) } }
        }
        return unanswered.map(\.name)
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
    /// Texts from the terminal are reduced to printable ASCII.
    func report(window: WindowSize) -> [(name: String, value: String)] {
        let known = capabilities(window: window)
        var lines: [(name: String, value: String)] = [
            ("TERM", Self.printable(environment.terminal)),
            ("program", program),
            ("multiplexer", known.multiplexer.map { "\($0.rawValue): \(environment.multiplexerReason)" } ?? "none"),
        ]
        if known.multiplexer == .tmux { lines.append(("tmux", tmuxSummary)) }
        lines += [
            ("answers", isComplete ? "complete" : replies.isEmpty ? "none" : "incomplete"),
            ("window", "\(window.grid.columns)×\(window.grid.rows) cells, \(window.pixels) pixels"),
            ("cell", "\(known.cell.width)×\(known.cell.height) pixels: \(known.cellSource.explanation)"),
            ("graphics", "\(known.graphics.method.rawValue): \(known.graphics.reason)"),
            ("sixel", Self.verdict(known.sixel, sixelReason)),
            ("colour registers", "\(known.colorRegisters): \(limitReason(isKnown: registers != nil, item: 1))"),
            ("largest sixel", "\(known.maximumSixelSize): \(limitReason(isKnown: maximumGeometry != nil, item: 2))"),
        ]
        if known.isLinuxConsole {
            let reason = consoleFont.map { "it has \($0.count) characters" } ?? "the console does not tell"
            lines.append(("half blocks in the font", Self.verdict(known.consoleHasHalfBlocks, reason)))
        }
        lines += [
            ("kitty graphics", Self.verdict(known.kitty, kittyReason)),
            ("iTerm2 pictures", Self.verdict(known.iterm, itermReason)),
            ("synchronized output", Self.verdict(known.synchronizedOutput, synchronizedReason)),
            ("colours of text", "\(known.colorDepth.rawValue): \(colorReason)"),
            ("background", Self.background(known.background) + ": " + backgroundReason),
        ]
        return lines + replies.map { ("reply", Self.printable($0.summary)) } + unanswered.map { ("no reply", $0) }
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
