// Why each thing is believed, in a few words for people.
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
        Self.isITerm(version) || Self.isITerm(environment.program)
            ? "the terminal's name is known for it" : "the terminal's name is not known for it"
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

    /// What was asked and not answered, by the names of the questions.
    var unanswered: [String] {
        let names: [(ControlSequence, String, (TerminalReply) -> Bool)] = [
            (.askBackground, "OSC 11", { if case .background = $0 { true } else { false } }),
            (.askVersion, "XTVERSION", { if case .version = $0 { true } else { false } }),
            (.askSynchronizedOutput, "DECRQM 2026", { if case .mode(2026, _) = $0 { true } else { false } }),
            (.askTextAreaPixels, "CSI 14 t", { if case .textAreaPixels = $0 { true } else { false } }),
            (.askCellPixels, "CSI 16 t", { if case .cellPixels = $0 { true } else { false } }),
            (.askColorRegisters, "XTSMGRAPHICS 1", { if case .graphics(1, _, _) = $0 { true } else { false } }),
            (.askGraphicsGeometry, "XTSMGRAPHICS 2", { if case .graphics(2, _, _) = $0 { true } else { false } }),
            (
                .askDirectColor, "XTGETTCAP, DECRQSS",
                { reply in
                    switch reply {
                    case .capability, .rendition: true
                    default: false
                    }
                }
            ),
            (.askKittyGraphics, "kitty graphics", { if case .kittyGraphics = $0 { true } else { false } }),
            (.askAttributes, "DA1", { if case .attributes = $0 { true } else { false } }),
        ]
        return names.filter { questions.contains($0.0) && !replies.contains(where: $0.2) }.map(\.1)
    }

    private func hasFailed(item: Int) -> Bool {
        replies.contains { if case .graphics(item, let status, _) = $0 { status != 0 } else { false } }
    }

    static func isITerm(_ name: String) -> Bool {
        ["iTerm", "WezTerm", "vscode", "mintty", "WarpTerminal", "Tabby", "Hyper"].contains(where: name.hasPrefix)
    }

    var isITerm: Bool { Self.isITerm(version) || Self.isITerm(environment.program) }
}

extension CellSizeSource {
    /// What was asked, for people.
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
