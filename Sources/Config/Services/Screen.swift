import AlcedoScreen
import AlcedoTerminal
import Glibc
import Raster

/// The part of the terminal that the programs use.
@MainActor
package protocol Screen: AnyObject {
    var events: DirectStream<TerminalEvent> { get }
    var capabilities: TerminalCapabilities { get }
    var size: GridSize { get }
    var report: [(name: String, value: String)] { get }
    var isBusy: Bool { get }
    var acknowledgementTime: Duration? { get }
    func present(_ frame: Frame, pictures: [TerminalPicture])
    func copy(_ text: String)
    func setTheme(_ theme: ThemeChoice)
    func invalidate()
    func suspend()
    /// Gives the terminal to what `body` runs, and takes it back.
    func lend(_ body: () -> Void)
    func close()
}

extension TerminalDevice: Screen {}

extension TerminalDevice {
    /// Opens the process's terminal; the error names the user of the terminal and an alternative command.
    package static func open(
        _ settings: TerminalSettings, _ environment: [String: String], for user: String, alternative: String
    ) throws(ProgramProblem) -> TerminalDevice {
        do throws(TerminalError) { return try TerminalDevice(variables: environment, settings: settings) } catch {
            throw ProgramProblem("\(user) needs a terminal: \(error.explanation); try: \(alternative)")
        }
    }
}

extension TerminalError {
    /// The reason in words.
    var explanation: String {
        switch self {
        case .noTerminal: "there is none"
        case .incapable(let name): name.isEmpty ? "TERM is not set" : "TERM=\(name) has no cursor control"
        case .unknownTerminal(let name): "TERM=\(name) is not in the terminal database"
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .alreadyOpen: "it is already in use"
        }
    }
}
