import BrowserCore

/// What tmux says of itself, of the pane we are in, and of the terminal outside.
public struct TmuxFacts: Equatable, Sendable {
    public var version = ""
    /// Whether sequences may pass to the terminal outside, and it shows the whole window.
    public var allowsPassthrough = false
    /// Where the pane's first cell lies on the terminal outside.
    public var origin = Position(column: 0, row: 0)
    /// Whether the terminal outside is known to tmux for sixel; only versions from 3.4 on tell.
    public var outerHasSixel = false
    /// Whether tmux sends 24-bit colours to the terminal outside.
    public var outerHasDirectColor = false
    /// What the terminal outside calls itself, else the name of its entry in the terminal database.
    public var outerTerminal = ""

    public init() {}

    /// What to ask, in tmux's format language; the fields of the answer are divided by bars, the free text last.
    static let question = [
        "version", "allow-passthrough", "window_bigger", "pane_left", "pane_top", "status", "status-position",
        "client_termfeatures", "client_termname", "client_termtype",
    ].map { "#{\($0)}" }.joined(separator: "|")

    /// Takes the answer's line; nil when it is none.
    init?(answer: String) {
        let fields = answer.prefix { $0 != "\n" }.split(separator: "|", maxSplits: 9, omittingEmptySubsequences: false)
            .map(String.init)
        guard fields.count == 10, let left = Int(fields[3]), let top = Int(fields[4]), left >= 0, top >= 0 else {
            return nil
        }
        version = fields[0]
        // Before 3.3 there was no such option, and everything passed.
        allowsPassthrough = ["", "1", "on", "all"].contains(fields[1]) && fields[2] != "1"
        let statusRows = fields[6] == "top" ? Self.rows(ofStatus: fields[5]) : 0
        origin = Position(column: min(left, 5000), row: min(top, 5000) + statusRows)
        let features = fields[7].split(separator: ",")
        outerHasSixel = features.contains("sixel")
        outerHasDirectColor = features.contains("RGB")
        outerTerminal = fields[9].isEmpty ? fields[8] : fields[9]
    }

    /// Whether the terminal outside draws sixel whatever its settings are.
    var outerIsKnownForSixel: Bool {
        outerHasSixel || ["foot", "mlterm", "contour", "WezTerm"].contains { outerTerminal.hasPrefix($0) }
    }

    private static func rows(ofStatus value: String) -> Int {
        value == "on" ? 1 : min(max(0, Int(value) ?? 0), 5)
    }
}
