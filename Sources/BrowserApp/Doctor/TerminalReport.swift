import Raster
import Terminal
import TerminalGraphics

/// What a terminal says of itself, asked without touching its screen.
struct TerminalReport: Sendable {
    let capabilities: TerminalCapabilities
    let size: GridSize
    let lines: [(name: String, value: String)]

    /// Asks and waits for the answers, half a second at most; nil without a terminal.
    @MainActor static func read(_ environment: [String: String]) async -> TerminalReport? {
        let settings = TerminalSettings(usesScreen: false)
        guard let device = try? TerminalDevice(variables: environment, settings: settings) else { return nil }
        defer { device.close() }
        let timeout = Task {
            try? await Task.sleep(for: .milliseconds(500))
            device.close()
        }
        defer { timeout.cancel() }
        if !device.capabilities.isComplete {
            for await event in device.events {
                if case .capabilitiesChanged(let known) = event, known.isComplete { break }
            }
        }
        return TerminalReport(capabilities: device.capabilities, size: device.size, lines: device.report)
    }
}

extension TerminalCapabilities {
    /// Blocks in the colours that the terminal has, whatever else it can.
    var blockGraphics: GraphicsProtocol {
        var copy = self
        copy.graphics = GraphicsDecision(method: .blocks, reason: "asked for")
        return copy.graphicsProtocol
    }
}
