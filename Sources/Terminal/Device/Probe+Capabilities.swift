import Raster

// Capabilities and decisions derived from the replies.
extension Probe {
    /// Returns the capabilities known so far.
    func capabilities(window: WindowSize) -> TerminalCapabilities {
        var known = TerminalCapabilities()
        known.isComplete = isComplete && !awaitsTmux
        known.version = version
        known.sixel = attributes.contains(4) || graphicsGeometry != nil
        known.colorRegisters = min(max(2, registers ?? 256), 1024)
        known.maximumSixelSize = maximumGeometry ?? known.maximumSixelSize
        known.kitty = kitty
        known.iterm = isITerm
        known.synchronizedOutput = synchronizedOutput
        known.background = background
        known.multiplexer = environment.multiplexer
        (known.cell, known.cellSource) = cell(window)
        known.colorDepth = colorDepth
        known.isLinuxConsole = environment.isLinuxConsole
        known.consoleHasHalfBlocks = known.isLinuxConsole && consoleFont?.isSuperset(of: Self.halfBlocks) == true
        known.multiplexerDrawsSixel = tmuxDrawsSixel
        known.pictureOrigin = tmux?.origin ?? known.pictureOrigin
        known.graphics = graphics(known)
        return known
    }

    /// The upper, lower, left and right half block.
    private static let halfBlocks: Set<UInt16> = [0x2580, 0x2584, 0x258C, 0x2590]

    private func cell(_ window: WindowSize) -> (CellSize, CellSizeSource) {
        let candidates: [(CellSize?, CellSizeSource)] = [
            (cellPixels.flatMap { Self.plausible($0, window: GridSize(columns: 1, rows: 1)) }, .cellReport),
            (unclippedGeometry.flatMap { Self.plausible($0, window: window.grid) }, .graphicsGeometry),
            (window.cell, .window),
            (textAreaPixels.flatMap { Self.plausible($0, window: window.grid) }, .textAreaReport),
            (settings.cell, .setting),
        ]
        for case (let cell?, let source) in candidates { return (cell, source) }
        return (.fallback, .fallback)
    }

    /// The text area reported by XTSMGRAPHICS; nil if a side may be the terminal's limit instead of the window's size.
    private var unclippedGeometry: PixelSize? {
        guard let size = graphicsGeometry, let limit = maximumGeometry, size.width < limit.width,
            size.height < limit.height
        else { return nil }
        return size
    }

    /// Divides `size` by the number of cells; nil if the result is implausible for a font.
    private static func plausible(_ size: PixelSize, window: GridSize) -> CellSize? {
        let width = size.width / max(1, window.columns)
        let height = size.height / max(1, window.rows)
        guard (2...256).contains(width), (4...512).contains(height) else { return nil }
        return CellSize(width: width, height: height)
    }

    private var colorDepth: TerminalColorDepth {
        let terminal = environment.terminal
        if environment.noColor || !environment.isCapable || terminal.hasPrefix("vt") { return .monochrome }
        if ["truecolor", "24bit"].contains(environment.colorTerminal) || terminal.hasSuffix("-direct") {
            return .truecolor
        }
        if directColor == true { return .truecolor }
        return terminal.contains("256color") || terminal == "xterm" || kitty || isITerm ? .indexed : .ansi
    }
}

// The method to display pictures, and the reason for it.
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

    /// Whether tmux displays sixel pictures itself; it may claim so even if the outer terminal cannot show them.
    var tmuxDrawsSixel: Bool {
        guard environment.multiplexer == .tmux, attributes.contains(4) else { return false }
        // Without tmux's own information only the attribute is known.
        return tmux?.outerHasSixel ?? true
    }

    /// Returns the user's method, unless tmux is known to block it.
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
