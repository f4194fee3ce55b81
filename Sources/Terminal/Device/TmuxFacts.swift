import AlcedoScreen
import AlcedoSupport
import FoundationEssentials

/// Information from tmux about itself, the pane of this process, and the outer terminal.
struct TmuxFacts: Equatable, Sendable {
    var version = ""
    /// Whether tmux passes sequences to the outer terminal, and that terminal shows the whole window.
    var allowsPassthrough = false
    /// The position of the pane's first cell on the outer terminal.
    var origin = Position(column: 0, row: 0)
    /// Whether tmux knows that the outer terminal supports sixel; reported since tmux 3.4.
    var outerHasSixel = false
    /// Whether tmux sends 24-bit colours to the outer terminal.
    var outerHasDirectColor = false
    /// The outer terminal's own name, or its entry in the terminal database.
    var outerTerminal = ""

    init() {}

    /// The fields in tmux's format language, separated by bars, with the free text last.
    static let format = [
        "version", "allow-passthrough", "window_bigger", "pane_left", "pane_top", "status", "status-position",
        "client_termfeatures", "client_termname", "client_termtype",
    ].map { "#{\($0)}" }.joined(separator: "|")

    /// Parses the reply; nil if it is malformed.
    init?(reply: String) {
        let fields = reply.prefix { $0 != "\n" }.split(separator: "|", maxSplits: 9, omittingEmptySubsequences: false)
            .map(String.init)
        guard fields.count == 10, let left = Int(fields[3]), let top = Int(fields[4]), left >= 0, top >= 0 else {
            return nil
        }
        version = fields[0]
        // tmux before 3.3 has no such option and passes everything through.
        allowsPassthrough = ["", "1", "on", "all"].contains(fields[1]) && fields[2] != "1"
        let statusRows = fields[6] == "top" ? Self.rows(ofStatus: fields[5]) : 0
        origin = Position(column: min(left, 5000), row: min(top, 5000) + statusRows)
        let features = fields[7].split(separator: ",")
        outerHasSixel = features.contains("sixel")
        outerHasDirectColor = features.contains("RGB")
        outerTerminal = fields[9].isEmpty ? fields[8] : fields[9]
    }

    /// Whether the outer terminal supports sixel regardless of its settings.
    var outerIsKnownForSixel: Bool {
        outerHasSixel || ["foot", "mlterm", "contour", "WezTerm"].contains { outerTerminal.hasPrefix($0) }
    }

    private static func rows(ofStatus value: String) -> Int {
        value == "on" ? 1 : min(max(0, Int(value) ?? 0), 5)
    }
}

/// A query to tmux, through its client program, about the pane of this process.
enum TmuxQuery {
    /// Returns tmux's information; nil without tmux or without a reply within 1 s.
    @concurrent
    static func run(_ variables: [String: String]) async -> TmuxFacts? {
        guard variables["TMUX"]?.isEmpty == false else { return nil }
        let pane = variables["TMUX_PANE"].map { ["-t", $0] } ?? []
        let arguments = ["timeout", "1", "tmux", "display-message", "-p"] + pane + [TmuxFacts.format]
        guard let output = try? OpenFile.pipe(),
            let tmux = try? ChildProcess(
                "/usr/bin/env", arguments, environment: variables, output: output.writing.descriptor)
        else { return nil }
        // The output fits into the pipe's buffer, so it is read afterwards.
        guard await tmux.status() == 0, let data = try? output.reading.read(upTo: 64 << 10) else { return nil }
        return TmuxFacts(reply: String(decoding: data, as: UTF8.self))
    }
}
