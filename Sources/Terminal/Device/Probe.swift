import AlcedoScreen
import Raster
import TerminalGraphics

/// Detects the terminal's capabilities from its replies to one round of queries.
///
/// All queries are written at once; the reply to DA1, which every terminal answers, ends the round.
struct Probe: Equatable, Sendable {
    let environment: TerminalEnvironment
    let settings: TerminalSettings
    /// Every reply in order of arrival, at most 64, for `doctor`.
    private(set) var replies: [TerminalReply] = []
    /// Whether the reply to the last query arrived.
    private(set) var isComplete = false

    /// The information from tmux's own client program; nil if it is unknown.
    private(set) var tmux: TmuxFacts?
    /// The characters of the Linux console's font; nil if they are unknown.
    let consoleFont: Set<UInt16>?
    /// See ``TerminalCapabilities/substituteEntry``.
    let substituteEntry: String?

    /// Whether tmux was asked and has not replied yet.
    private(set) var awaitsTmux = false

    private(set) var attributes: [Int] = []
    private(set) var registers: Int?
    private(set) var maximumGeometry: PixelSize?
    private(set) var graphicsGeometry: PixelSize?
    /// The number of geometry replies in this round: the first is the window's, the second the limit.
    private var geometryAnswers = 0
    private(set) var cellPixels: PixelSize?
    private(set) var textAreaPixels: PixelSize?
    private(set) var background: Color?
    private(set) var synchronizedOutput = false
    private(set) var version = ""
    private(set) var kitty = false
    /// Whether the terminal, or tmux, reports 24-bit colours; nil without a reply.
    private(set) var directColor: Bool?

    init(
        environment: TerminalEnvironment, settings: TerminalSettings = TerminalSettings(),
        consoleFont: Set<UInt16>? = nil, substituteEntry: String? = nil
    ) {
        (self.environment, self.consoleFont, self.settings) = (environment, consoleFont, settings)
        self.substituteEntry = substituteEntry
        isComplete = !environment.isCapable
    }

    /// All queries, to be sent at the start; none for terminals without cursor control, which might print them.
    var queries: [ControlSequence] {
        guard environment.isCapable else { return [] }
        guard environment.readsControlStrings else { return [.queryAttributes] }
        var queries: [ControlSequence] = environment.mayAskBackground ? [.queryBackground] : []
        queries += [
            .queryVersion, .querySynchronizedOutput, .queryTextAreaPixels, .queryCellPixels, .queryColorRegisters,
            .queryGraphicsGeometry, .queryMaximumGraphicsGeometry,
        ]
        // A multiplexer would reply for itself, or let the outer terminal reply.
        if environment.multiplexer == nil { queries.append(.queryDirectColor) }
        if environment.mayKnowKitty { queries.append(.queryKittyGraphics) }
        return queries + [.queryAttributes]
    }

    /// The size queries, to be sent after every resize.
    var sizeQueries: [ControlSequence] {
        guard environment.isCapable else { return [] }
        guard environment.readsControlStrings else { return [.queryAttributes] }
        return [
            .queryTextAreaPixels, .queryCellPixels, .queryGraphicsGeometry, .queryMaximumGraphicsGeometry,
            .queryAttributes,
        ]
    }

    /// Discards the sizes before they are queried again.
    mutating func beginSizeRound() {
        cellPixels = nil
        textAreaPixels = nil
        graphicsGeometry = nil
        geometryAnswers = 0
        isComplete = false
    }

    /// Evaluates a reply, at any time.
    mutating func receive(_ reply: TerminalReply) {
        if replies.count < 64 { replies.append(reply) }
        switch reply {
        case .attributes(let list):
            attributes = list
            isComplete = true
        case .graphics(1, 0, let values): registers = values.first
        case .graphics(2, let status, let values): receiveGeometry(status == 0 ? values : [])
        case .cellPixels(let size): cellPixels = size
        case .textAreaPixels(let size): textAreaPixels = size
        case .background(let color): background = color
        case .mode(2026, let state): synchronizedOutput = (1...3).contains(state)
        case .version(let text): version = text
        case .capability("524742"): directColor = true
        case .rendition(let parameters) where directColor != true:
            directColor = Self.isDirectColor(parameters)
        case .kittyGraphics(31, let message): kitty = message == "OK"
        default: break
        }
    }

    /// Discards tmux's information before it is queried again: the pane may have moved.
    mutating func beginTmuxRound() {
        tmux = nil
        awaitsTmux = true
    }

    /// Stores tmux's information; nil if it could not be obtained.
    ///
    /// The colour depth stays in force while tmux is queried again, so that text does not change its colours.
    mutating func receive(_ facts: TmuxFacts?) {
        tmux = facts
        if facts?.outerHasDirectColor == true { directColor = true }
        awaitsTmux = false
    }

    /// Returns whether SGR parameters contain the background of `queryDirectColor`: `48:2::1:2:3` in any notation.
    private static func isDirectColor(_ parameters: String) -> Bool {
        let numbers = parameters.split { $0 == ":" || $0 == ";" }.drop { $0 != "48" }
        return numbers.prefix(5).elementsEqual(["48", "2", "1", "2", "3"])
    }

    private mutating func receiveGeometry(_ values: [Int]) {
        geometryAnswers += 1
        guard values.count == 2, values[0] > 0, values[1] > 0 else { return }
        let size = PixelSize(width: values[0], height: values[1])
        if geometryAnswers == 1 { graphicsGeometry = size } else { maximumGeometry = size }
    }
}
/// Schedules rounds of queries: one at a time, and another one afterwards if it was requested meanwhile.
struct ProbeSchedule: Equatable {
    /// The time of the round in progress; nil if no replies are outstanding.
    private(set) var sentAt: ContinuousClock.Instant?
    private var isRequestedAgain = false

    /// Whether replies are outstanding.
    var isPending: Bool { sentAt != nil }

    /// Starts a round and returns true, or remembers the request if a round is in progress.
    mutating func request(at now: ContinuousClock.Instant) -> Bool {
        guard !isPending else {
            isRequestedAgain = true
            return false
        }
        sentAt = now
        return true
    }

    /// Ends the round and returns whether another one was requested.
    mutating func finish() -> Bool {
        defer { isRequestedAgain = false }
        sentAt = nil
        return isRequestedAgain
    }
}

// Capabilities and decisions derived from the replies.
extension Probe {
    /// Returns the capabilities known so far.
    func capabilities(window: WindowSize) -> TerminalCapabilities {
        var known = TerminalCapabilities()
        known.isComplete = isComplete && !awaitsTmux
        known.version = version
        known.substituteEntry = substituteEntry
        known.sixel = attributes.contains(4) || graphicsGeometry != nil
        known.colorRegisters = min(max(2, registers ?? 256), 1024)
        known.maximumSixelSize = maximumGeometry ?? known.maximumSixelSize
        known.kitty = kitty
        known.iterm = isITerm
        known.synchronizedOutput = synchronizedOutput
        known.background = background
        known.multiplexer = environment.multiplexer
        if let (cell, source) = cell(window) { (known.cell, known.cellSource) = (cell, source) }
        known.colorDepth = colorDepth
        known.isLinuxConsole = environment.isLinuxConsole
        known.consoleHasHalfBlocks = known.isLinuxConsole && consoleFont?.isSuperset(of: Self.halfBlocks) == true
        known.multiplexerDrawsSixel = tmuxDrawsSixel
        known.pictureOrigin = tmux?.origin ?? known.pictureOrigin
        known.graphics = graphics(known)
        return known
    }

    /// The upper, lower, left and right half block.
    private static let halfBlocks: Set<UInt16> = [0x2580, 0x2584, 0x258C, 0x2590]

    /// Returns the cell size and its source; nil if it must be assumed.
    private func cell(_ window: WindowSize) -> (CellSize, String)? {
        let one = GridSize(columns: 1, rows: 1)
        let candidates: [(CellSize?, String)] = [
            (cellPixels.flatMap { Self.plausible($0, window: one) }, "the cell's own report (CSI 16 t)"),
            (
                unclippedGeometry.flatMap { Self.plausible($0, window: window.grid) },
                "the area for pictures (XTSMGRAPHICS)"
            ),
            (window.cell, "the system's window size (TIOCGWINSZ)"),
            (
                textAreaPixels.flatMap { Self.plausible($0, window: window.grid) },
                "the text area's report (CSI 14 t)"
            ),
            (settings.cell, "the setting, as the terminal does not say"),
        ]
        for case (let cell?, let source) in candidates { return (cell, source) }
        return nil
    }

    /// The text area reported by XTSMGRAPHICS; nil if a side may be the terminal's limit instead of the window's size.
    private var unclippedGeometry: PixelSize? {
        guard let size = graphicsGeometry, let limit = maximumGeometry, size.width < limit.width,
            size.height < limit.height
        else { return nil }
        return size
    }

    /// Divides `size` by the number of cells; nil if the result is implausible for a font.
    private static func plausible(_ size: PixelSize, window: GridSize) -> CellSize? {
        let width = size.width / max(1, window.columns)
        let height = size.height / max(1, window.rows)
        guard (2...256).contains(width), (4...512).contains(height) else { return nil }
        return CellSize(width: width, height: height)
    }

    private var colorDepth: ColorDepth {
        let terminal = environment.terminal
        if environment.noColor || !environment.isCapable || terminal.hasPrefix("vt") { return .none }
        if ["truecolor", "24bit"].contains(environment.colorTerminal) || terminal.hasSuffix("-direct") {
            return .truecolor
        }
        if directColor == true { return .truecolor }
        if terminal.contains("256color") || terminal == "xterm" || kitty || isITerm { return .palette256 }
        return environment.isLinuxConsole ? .console : .palette16
    }
}

// The method to display pictures, and the reason for it.
extension Probe {
    func graphics(_ known: TerminalCapabilities) -> GraphicsDecision {
        if settings.graphics != .auto { return forced(settings.graphics) }
        guard environment.isCapable else {
            return GraphicsDecision(method: .blocks, reason: "TERM names no terminal that can place text")
        }
        switch environment.multiplexer {
        case .tmux: return throughTmux
        case .screen:
            return GraphicsDecision(
                method: .blocks, reason: "GNU screen may promise pictures that the terminal cannot show",
                remedy: "outside of screen pictures are drawn, or with --graphics")
        case nil: break
        }
        if known.kitty { return GraphicsDecision(method: .kitty, reason: kittyReason) }
        if known.sixel { return GraphicsDecision(method: .sixel, reason: sixelReason) }
        if known.iterm { return GraphicsDecision(method: .iterm, reason: itermReason) }
        let reason =
            isComplete ? "the terminal has neither kitty graphics nor sixel" : "the terminal has not answered yet"
        return GraphicsDecision(method: .blocks, reason: reason)
    }

    /// Whether tmux displays sixel pictures itself; it may claim so even if the outer terminal cannot show them.
    var tmuxDrawsSixel: Bool {
        guard environment.multiplexer == .tmux, attributes.contains(4) else { return false }
        // Without tmux's own information only the attribute is known.
        return tmux?.outerHasSixel ?? true
    }

    /// Returns the user's method, unless tmux is known to block it.
    private func forced(_ method: GraphicsMethod) -> GraphicsDecision {
        if !method.isText, awaitsTmux { return GraphicsDecision(method: .blocks, reason: "tmux has not answered yet") }
        if !method.isText, let tmux, !tmux.allowsPassthrough, method != .sixel || !tmuxDrawsSixel {
            return GraphicsDecision(
                method: .blocks, reason: "\(method.rawValue) is set, but tmux lets nothing through (allow-passthrough)",
                remedy: GraphicsDecision.passthrough)
        }
        return GraphicsDecision(method: method, reason: "the setting says so")
    }

    private var throughTmux: GraphicsDecision {
        guard let tmux else {
            let reason =
                awaitsTmux ? "tmux has not answered yet" : "tmux may promise pictures that the terminal cannot show"
            return GraphicsDecision(method: .blocks, reason: reason)
        }
        if tmuxDrawsSixel {
            return GraphicsDecision(method: .sixel, reason: "tmux has sixel, and so has the terminal outside")
        }
        guard tmux.outerIsKnownForSixel else {
            return GraphicsDecision(
                method: .blocks, reason: "the terminal outside tmux is not known for pictures; --graphics forces them")
        }
        guard tmux.allowsPassthrough else {
            return GraphicsDecision(
                method: .blocks, reason: "tmux lets no pictures through (allow-passthrough)",
                remedy: GraphicsDecision.passthrough)
        }
        return GraphicsDecision(method: .sixel, reason: "tmux lets pictures through to a terminal known for sixel")
    }
}

// The reasons for each decision, as short texts for users.
extension Probe {
    var sixelReason: String {
        if attributes.contains(4) { return "DA1 lists attribute 4" }
        if graphicsGeometry != nil { return "the terminal answered XTSMGRAPHICS" }
        return attributes.isEmpty ? "DA1 was not answered" : "DA1 does not list attribute 4"
    }

    /// Returns the reason for a value of XTSMGRAPHICS.
    private func limitReason(isKnown: Bool, item: Int) -> String {
        if isKnown { return "XTSMGRAPHICS" }
        let isRefused = replies.contains {
            if case .graphics(item, let status, _) = $0 { status != 0 } else { false }
        }
        return "assumed, as XTSMGRAPHICS " + (isRefused ? "was refused" : "was not answered")
    }

    var kittyReason: String {
        for case .kittyGraphics(31, let message) in replies {
            return message == "OK" ? "the terminal answered the kitty graphics question" : "it was refused"
        }
        return environment.mayKnowKitty ? "the question was not answered" : "not asked, as it would be shown or kept"
    }

    var itermReason: String {
        isITerm ? "the terminal's name is known for it" : "the terminal's name is not known for it"
    }

    private var synchronizedReason: String {
        for case .mode(2026, let state) in replies { return "mode 2026 is in state \(state)" }
        return "the question about mode 2026 was not answered"
    }

    private var colorReason: String {
        let terminal = environment.terminal
        if environment.noColor { return "NO_COLOR is set" }
        if terminal.hasPrefix("vt") { return "TERM names a terminal without colours" }
        if ["truecolor", "24bit"].contains(environment.colorTerminal) { return "COLORTERM" }
        if directColor == true {
            return environment.multiplexer == .tmux
                ? "tmux has the feature RGB for the terminal outside"
                : "the terminal's answer (XTGETTCAP, DECRQSS)"
        }
        if kitty || isITerm { return "the terminal's kind" }
        return "TERM"
    }

    private var backgroundReason: String {
        if background != nil { return "OSC 11" }
        return environment.mayAskBackground ? "OSC 11 was not answered" : "not asked"
    }

    /// The names of the queries without a reply, which are prefixes of the replies' summaries.
    private var unanswered: [String] {
        let names: [(query: ControlSequence, name: String)] = [
            (.queryBackground, "OSC 11"), (.queryVersion, "XTVERSION"), (.querySynchronizedOutput, "DECRQM 2026"),
            (.queryTextAreaPixels, "CSI 14 t"), (.queryCellPixels, "CSI 16 t"),
            (.queryColorRegisters, "XTSMGRAPHICS 1"), (.queryGraphicsGeometry, "XTSMGRAPHICS 2"),
            (.queryDirectColor, "XTGETTCAP, DECRQSS"), (.queryKittyGraphics, "kitty graphics"),
            (.queryAttributes, "DA1"),
        ]
        let unanswered = names.filter { query, name in
            let prefixes = name.split(separator: ", ")
            return queries.contains(query)
                && !replies.contains { reply in prefixes.contains { reply.summary.hasPrefix($0) } }
        }
        return unanswered.map(\.name)
    }

    var isITerm: Bool {
        let names = ["iTerm", "WezTerm", "vscode", "mintty", "WarpTerminal", "Tabby", "Hyper"]
        return names.contains { version.hasPrefix($0) || environment.program.hasPrefix($0) }
    }
}

extension Probe {
    /// Returns the report of `doctor` as name and value: every decision with its reason, every reply, and the queries
    /// without a reply.
    ///
    /// Texts from the terminal are reduced to printable ASCII.
    func report(window: WindowSize) -> [(name: String, value: String)] {
        let known = capabilities(window: window)
        var lines: [(name: String, value: String)] = [
            ("TERM", Self.printable(environment.terminal)),
            ("terminal database", substituteEntry.map { "\($0), as it has no entry for TERM" } ?? "has an entry"),
            ("program", program),
            ("multiplexer", known.multiplexer.map { "\($0.rawValue): \(environment.multiplexerReason)" } ?? "none"),
        ]
        if known.multiplexer == .tmux { lines.append(("tmux", tmuxSummary)) }
        lines += [
            ("answers", isComplete ? "complete" : replies.isEmpty ? "none" : "incomplete"),
            ("window", "\(window.grid.columns)×\(window.grid.rows) cells, \(window.pixels) pixels"),
            ("cell", "\(known.cell.width)×\(known.cell.height) pixels: \(known.cellSource)"),
            ("graphics", "\(known.graphics.method.rawValue): \(known.graphics.reason)"),
            ("sixel", Self.verdict(known.sixel, sixelReason)),
            ("colour registers", "\(known.colorRegisters): \(limitReason(isKnown: registers != nil, item: 1))"),
            ("largest sixel", "\(known.maximumSixelSize): \(limitReason(isKnown: maximumGeometry != nil, item: 2))"),
        ]
        if known.isLinuxConsole {
            let reason = consoleFont.map { "it has \($0.count) characters" } ?? "the console does not tell"
            lines.append(("half blocks in the font", Self.verdict(known.consoleHasHalfBlocks, reason)))
        }
        lines += [
            ("kitty graphics", Self.verdict(known.kitty, kittyReason)),
            ("iTerm2 pictures", Self.verdict(known.iterm, itermReason)),
            ("synchronized output", Self.verdict(known.synchronizedOutput, synchronizedReason)),
            ("colours of text", "\(Self.colors(known.colorDepth)): \(colorReason)"),
            ("background", Self.background(known.background) + ": " + backgroundReason),
        ]
        return lines + replies.map { ("reply", Self.printable($0.summary)) } + unanswered.map { ("no reply", $0) }
    }

    private static func colors(_ depth: ColorDepth) -> String {
        switch depth {
        case .truecolor: "24 bits"
        case .palette256: "256"
        case .palette16, .console: "16"
        case .none: "none"
        }
    }

    private var program: String {
        if !version.isEmpty { return "\(Self.printable(version)): XTVERSION" }
        let named = Self.printable(environment.program)
        return named.isEmpty ? "unknown: XTVERSION was not answered" : "\(named): TERM_PROGRAM or LC_TERMINAL"
    }

    private var tmuxSummary: String {
        guard let tmux else { return awaitsTmux ? "asked, not answered yet" : "could not be asked" }
        let passing = tmux.allowsPassthrough ? "pictures may pass" : "no pictures may pass"
        return Self.printable(
            "\(tmux.version), \(passing), pane at \(tmux.origin.column),\(tmux.origin.row), in \(tmux.outerTerminal)")
    }

    private static func verdict(_ isSo: Bool, _ reason: String) -> String { (isSo ? "yes: " : "no: ") + reason }

    private static func background(_ color: Color?) -> String {
        color.map { "\($0.red) \($0.green) \($0.blue)" } ?? "unknown"
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(120).map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" })
    }
}
