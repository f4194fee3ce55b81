// The way pictures take, and why.
extension Probe {
    func graphics(_ known: TerminalCapabilities) -> GraphicsDecision {
        if let forced = settings.graphics { return self.forced(forced) }
        guard environment.isCapable else {
            return GraphicsDecision(method: .none, reason: "TERM names no terminal that can place text")
        }
        switch environment.multiplexer {
        case .tmux: return throughTmux
        case .screen:
            return GraphicsDecision(
                method: .blocks, reason: "GNU screen may promise pictures that the terminal cannot show")
        case nil: break
        }
        if known.kitty { return GraphicsDecision(method: .kitty, reason: kittyReason) }
        if known.sixel { return GraphicsDecision(method: .sixel, reason: sixelReason) }
        if known.iterm { return GraphicsDecision(method: .iterm, reason: itermReason) }
        let reason =
            isComplete ? "the terminal has neither kitty graphics nor sixel" : "the terminal has not answered yet"
        return GraphicsDecision(method: .blocks, reason: reason)
    }

    /// Whether tmux keeps sixel pictures itself: it says so even where the terminal outside cannot show them.
    var tmuxDrawsSixel: Bool {
        guard environment.multiplexer == .tmux, attributes.contains(4) else { return false }
        // Without word from tmux the attribute is all there is to go by.
        return tmux?.outerHasSixel ?? true
    }

    /// What the user wants, unless tmux is known to swallow it.
    private func forced(_ method: GraphicsMethod) -> GraphicsDecision {
        let isText = method == .blocks || method == .none
        if !isText, awaitsTmux { return GraphicsDecision(method: .blocks, reason: "tmux has not answered yet") }
        if !isText, let tmux, !tmux.allowsPassthrough, method != .sixel || !tmuxDrawsSixel {
            return GraphicsDecision(
                method: .blocks, reason: "\(method.rawValue) is set, but tmux lets nothing through (allow-passthrough)")
        }
        return GraphicsDecision(method: method, reason: "the setting says so")
    }

    private var throughTmux: GraphicsDecision {
        guard let tmux else {
            let reason =
                awaitsTmux ? "tmux has not answered yet" : "tmux may promise pictures that the terminal cannot show"
            return GraphicsDecision(method: .blocks, reason: reason)
        }
        if tmuxDrawsSixel {
            return GraphicsDecision(method: .sixel, reason: "tmux has sixel, and so has the terminal outside")
        }
        guard tmux.outerIsKnownForSixel else {
            return GraphicsDecision(
                method: .blocks, reason: "the terminal outside tmux is not known for pictures; --graphics forces them")
        }
        guard tmux.allowsPassthrough else {
            return GraphicsDecision(method: .blocks, reason: "tmux lets no pictures through (allow-passthrough)")
        }
        return GraphicsDecision(method: .sixel, reason: "tmux lets pictures through to a terminal known for sixel")
    }
}
