import AlcedoScreen
import AlcedoTerminal
import TerminalGraphics

extension TerminalCapabilities {
    /// Which graphics are in use and why, and what the user can do to get better ones, for the help.
    var helpFacts: [DetailLine] {
        let method = graphics.method.rawValue + (graphics.method.isText ? ", not pixels" : "")
        var facts = [DetailLine("graphics", "\(method): \(graphics.reason)")]
        if let remedy = graphics.remedy { facts.append(DetailLine("to change", remedy)) }
        facts.append(DetailLine("colours", colorDepth == .truecolor ? "24-bit" : colorDepth.rawValue))
        if !version.isEmpty { facts.append(DetailLine("terminal", SafeText.clean(version))) }
        facts.append(DetailLine("more", "alcedo doctor, docs/terminals.md"))
        return facts
    }
}
