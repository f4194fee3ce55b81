import AlcedoTerminal
import TerminalGraphics

extension TerminalCapabilities {
    /// Returns the graphics protocol for a method, by default the detected one; blocks are of the set that the terminal
    /// is known to draw.
    package func graphicsProtocol(_ method: GraphicsMethod = .auto) -> GraphicsProtocol {
        let limits = SixelLimits(
            registers: colorRegisters, maximumSize: maximumSixelSize, countsWholeBands: sixelQuirks.countsWholeBands)
        return (method == .auto ? graphics.method : method)
            .graphicsProtocol(sixel: limits, blocks: colorDepth, knownBlockSet)
    }

    /// The best set that the terminal certainly draws: sextants (Unicode 13) only if it draws them itself, whatever the
    /// font; on the Linux console halves or shades, depending on its font; otherwise quadrants.
    private var knownBlockSet: BlockSet {
        if isLinuxConsole { return consoleHasHalfBlocks ? .half : .shades }
        if ["kitty", "foot", "WezTerm", "ghostty", "Ghostty"].contains(where: version.hasPrefix) { return .sextant }
        return (virtualTerminalEmulatorVersion ?? 0) >= Self.firstWithSextants ? .sextant : .quadrant
    }

    /// VTE draws sextants since 0.62, which names itself `VTE(6200)`.
    private static let firstWithSextants = 6200

    private var virtualTerminalEmulatorVersion: Int? {
        guard version.hasPrefix("VTE(") else { return nil }
        return Int(version.dropFirst(4).prefix { $0.isASCII && $0.isNumber })
    }
}
