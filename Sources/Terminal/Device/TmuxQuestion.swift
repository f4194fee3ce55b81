import Foundation

/// Asks tmux, by its own client program, about the pane that a process is in.
enum TmuxQuestion {
    /// How long an answer may take: 1 s.
    private static let patience = Duration.seconds(1)

    /// The facts; nil when there is no tmux to be asked or it does not answer.
    @concurrent
    static func ask(_ variables: [String: String]) async -> TmuxFacts? {
        guard variables["TMUX"]?.isEmpty == false else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let pane = variables["TMUX_PANE"].map { ["-t", $0] } ?? []
        process.arguments = ["tmux", "display-message", "-p"] + pane + [TmuxFacts.question]
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard await run(process) == 0, let data = try? output.fileHandleForReading.readToEnd() else { return nil }
        return TmuxFacts(answer: String(decoding: data, as: UTF8.self))
    }

    /// The exit code; nil when it cannot be run.
    ///
    /// The answer is shorter than what a pipe holds.
    private static func run(_ process: Process) async -> Int32? {
        let (endings, ending) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { ending.yield($0.terminationStatus) }
        guard (try? process.run()) != nil else { return nil }
        let identifier = process.processIdentifier
        let timeout = Task {
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            kill(identifier, SIGTERM)
        }
        defer { timeout.cancel() }
        for await code in endings { return code }
        return nil
    }
}
