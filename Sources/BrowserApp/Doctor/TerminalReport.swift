import Raster
import Terminal
import TerminalGraphics

/// What a terminal says of itself, asked without touching its screen.
struct TerminalReport: Sendable {
    let capabilities: TerminalCapabilities
    let size: GridSize
    let lines: [(name: String, value: String)]

    /// Asks the process's terminal; nil without one.
    @MainActor static func read(_ environment: [String: String]) async -> TerminalReport? {
        let settings = TerminalSettings(usesScreen: false)
        guard let device = try? TerminalDevice(variables: environment, settings: settings) else { return nil }
        return await ask(device)
    }

    /// Waits for the answers, half a second at most, and gives the terminal back.
    @MainActor static func ask(
        _ screen: any Screen, clock: any Clock<Duration> = ContinuousClock()
    ) async -> TerminalReport {
        let timeout = Task {
            guard (try? await clock.sleep(for: .milliseconds(500))) != nil else { return }
            screen.close()
        }
        if !screen.capabilities.isComplete {
            for await event in screen.events {
                if case .capabilitiesChanged(let known) = event, known.isComplete { break }
            }
        }
        timeout.cancel()
        screen.close()
        return TerminalReport(capabilities: screen.capabilities, size: screen.size, lines: screen.report)
    }
}
