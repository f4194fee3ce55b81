import Raster
import Terminal
import TerminalGraphics

/// The properties that a terminal reports, queried without touching its screen.
struct TerminalReport: Sendable {
    let capabilities: TerminalCapabilities
    let size: GridSize
    let lines: [(name: String, value: String)]

    /// Queries the process's terminal; returns nil without one.
    @MainActor static func read(_ environment: [String: String]) async -> TerminalReport? {
        let settings = TerminalSettings(usesScreen: false)
        guard let device = try? TerminalDevice(variables: environment, settings: settings) else { return nil }
        return await query(device)
    }

    /// Waits up to half a second for the replies, then closes the screen.
    @MainActor static func query(
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
