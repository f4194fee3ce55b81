import AlcedoScreen
import AlcedoTerminal

extension TerminalCapabilities {
    /// Which graphics are in use and why, and what the user can do to get better ones, for the help.
    var helpFacts: [DetailLine] {
        let isBlocks = graphics.method == .blocks
        var facts = [
            DetailLine("graphics", "\(isBlocks ? "blocks, not pixels" : graphics.method.rawValue): \(graphics.reason)")
        ]
        if let remedy = graphics.remedy { facts.append(DetailLine("to change", remedy)) }
        facts.append(DetailLine("colours", colorDepth == .truecolor ? "24-bit" : colorDepth.rawValue))
        if !version.isEmpty { facts.append(DetailLine("terminal", SafeText.clean(version))) }
        facts.append(DetailLine("more", "alcedo doctor, docs/terminals.md"))
        return facts
    }
}
