import Raster

// What follows from the answers.
extension Probe {
    /// What is known by now; total, whatever the terminal answered.
    public func capabilities(window: WindowSize) -> TerminalCapabilities {
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

    /// The upper, lower, left and right half.
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

    /// The text area by XTSMGRAPHICS; nil when a side may be the terminal's limit and not the window's.
    private var unclippedGeometry: PixelSize? {
        guard let size = graphicsGeometry, let limit = maximumGeometry, size.width < limit.width,
            size.height < limit.height
        else { return nil }
        return size
    }

    /// The share of one cell in `size`; nil when no font looks like that.
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
