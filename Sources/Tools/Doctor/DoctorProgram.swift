import AlcedoBrowserCore
import AlcedoConfig
import AlcedoScreen
import AlcedoSupport
import AlcedoTerminal
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

/// One fact of the doctor's report.
package struct DoctorFact: Sendable, Encodable {
    package let topic: String
    package let name: String
    package let value: String
}

/// Reports the environment: terminal, limits, config file, state files and cache.
package struct DoctorProgram: Sendable {
    private let settings: LibrarySettings
    private let config: ConfigurationReport?

    /// - Parameter config: The state of the config file; nil if there is no place for one.
    package init(settings: LibrarySettings = LibrarySettings(), config: ConfigurationReport? = nil) {
        (self.settings, self.config) = (settings, config)
    }

    package func facts() async -> [DoctorFact] { await facts(of: TerminalReport.read(settings.environment)) }

    /// Returns the facts for a terminal that was queried already, or for none.
    func facts(of terminal: TerminalReport?) async -> [DoctorFact] {
        let lines = terminal?.lines ?? [("terminal", "none")]
        return lines.map { DoctorFact(topic: "Terminal", name: $0.name, value: $0.value) } + limitFacts()
            + sandboxFacts() + formatFacts() + clientFacts() + configFacts() + stateFacts() + (await cacheFacts())
    }

    /// Returns the facts as lines, with a heading for each topic.
    package static func lines(_ facts: [DoctorFact]) -> [String] {
        var lines: [String] = []
        var topic = ""
        for fact in facts {
            if fact.topic != topic { lines += (topic.isEmpty ? [] : [""]) + [fact.topic] }
            topic = fact.topic
            lines.append("  \(Fitting.pad(fact.name, to: 22)) \(fact.value)")
        }
        return lines
    }

    private func limitFacts() -> [DoctorFact] {
        let decode = settings.decode
        return [
            ("max-size", Units.bytes(settings[.maximumBytes])),
            ("max-pixels", "\(Units.count(decode.pixels / 1_000_000)) megapixels"),
            ("max-frames", Units.count(decode.frames)), ("memory", Units.bytes(settings[.memory])),
            ("transfers", "\(settings[.jobs]), \(settings[.perHost]) to one host"),
            ("retries", "\(settings[.retries])"),
        ].map { DoctorFact(topic: "Limits", name: $0.0, value: $0.1) }
    }

    private func sandboxFacts() -> [DoctorFact] {
        let held = settings[.sandbox] == .off ? nil : SandboxedDecoder().protections()
        let missing = settings[.sandbox] == .off ? "off" : "no: no decoder process can be started"
        return [DoctorFact(topic: "Sandbox", name: "mode", value: settings[.sandbox].rawValue)]
            + SandboxProtections.named.map { protection, name in
                let value = held.map {
                    $0.contains(protection) ? "holds" : "missing: the kernel or the container does not provide it"
                }
                return DoctorFact(topic: "Sandbox", name: name, value: value ?? missing)
            }
    }

    private func formatFacts() -> [DoctorFact] {
        ImageFormat.allCases.map { format in
            let library = format.library
            let needsSandbox = settings[.sandbox] == .off && !ImageFormat.trusted.contains(format)
            let value =
                !library.isInstalled
                ? "not read: \(library.name) cannot be loaded (Debian package \(format == .video ? "libavformat59" : "libvips42"))"
                : needsSandbox ? "not read: only in the sandbox, which is off" : library.name
            return DoctorFact(topic: "Formats", name: format.rawValue, value: value)
        } + [
            DoctorFact(
                topic: "Formats", name: "archives",
                value: ArchiveReader.isInstalled
                    ? "libarchive" : "not read: libarchive cannot be loaded (Debian package libarchive13)")
        ]
    }

    private func clientFacts() -> [DoctorFact] {
        let value = CurlLibrary.description ?? CurlLibrary.problem() ?? ""
        return [DoctorFact(topic: "HTTP", name: "libcurl", value: value)]
    }

    private func configFacts() -> [DoctorFact] {
        guard let config else { return [] }
        let names = ["file", "state"] + Array(repeating: "", count: max(0, config.lines.count - 2))
        return zip(names, config.lines).map { DoctorFact(topic: "Config", name: $0, value: $1) }
    }

    private func stateFacts() -> [DoctorFact] {
        let places = [
            ("log", UserFolder.state("alcedo.log", settings.environment)),
            ("sessions", UserFolder.state("sessions", settings.environment)),
            ("journals", UserFolder.state("prefetch", settings.environment)),
        ]
        return places.map { name, path in
            DoctorFact(topic: "State", name: name, value: path ?? "none: neither HOME nor XDG_STATE_HOME is set")
        }
    }

    private func cacheFacts() async -> [DoctorFact] {
        let disk: DiskStorage
        do throws(CacheFolderProblem) { disk = try ImageServices.openDisk(settings) } catch {
            return [DoctorFact(topic: "Cache", name: "problem", value: error.description)]
        }
        do throws(DiskCacheError) {
            let statistics = CacheStatisticsReport(try await disk.statistics(), folder: disk.folder.path)
            return statistics.lines.map { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                return DoctorFact(
                    topic: "Cache", name: String(parts.first ?? ""),
                    value: parts.last?.withoutBlanks ?? "")
            }
        } catch {
            return [DoctorFact(topic: "Cache", name: "problem", value: error.description)]
        }
    }
}

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
