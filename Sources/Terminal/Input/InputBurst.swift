import BrowserCore

/// Tells typing from what only looks like it: more keys at once than anyone presses count as a paste.
///
/// Terminals without bracketed paste send pasted text as keys, and broken ones send garbage. Neither is to be obeyed.
struct InputBurst: Sendable {
    /// More keys than this in one read begin a burst: 100.
    ///
    /// A key held down over a line that stalls for three seconds sends fewer.
    static let limit = 100

    /// Whether what comes without a pause still belongs to the burst.
    private(set) var isRunning = false

    init() {}

    /// What was read at once, as it is to be understood; of a burst's keys only the characters are kept, as pastes.
    ///
    /// Complexity: O(events).
    mutating func settle(_ events: [TerminalEvent]) -> [TerminalEvent] {
        if events.count > Self.limit, events.count(where: Self.isKey) > Self.limit { isRunning = true }
        return isRunning ? Self.pasting(events) : events
    }

    /// Takes note that nothing came for a moment.
    mutating func end() { isRunning = false }

    private static func isKey(_ event: TerminalEvent) -> Bool { if case .key = event { true } else { false } }

    /// Everything else keeps its place between the pastes.
    private static func pasting(_ events: [TerminalEvent]) -> [TerminalEvent] {
        var result: [TerminalEvent] = []
        var text = ""
        for event in events {
            if case .key(let key) = event {
                if case .character(let character) = key { text.append(character) }
                continue
            }
            if !text.isEmpty { result.append(.paste(text)) }
            text = ""
            result.append(event)
        }
        return text.isEmpty ? result : result + [.paste(text)]
    }
}
