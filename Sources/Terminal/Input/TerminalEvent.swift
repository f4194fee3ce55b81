import AlcedoScreen
import Raster

/// An event from the terminal, or from the system about the terminal.
package enum TerminalEvent: Equatable, Sendable {
    case key(Key)
    /// Whether the keys that follow arrive together, as pasted text does; sent when that changes.
    case keysTogether(Bool)
    case mouse(MouseEvent)
    /// Pasted text, unmodified: it may contain control characters and is not safe to show.
    case paste(String)
    /// The window gained (true) or lost the focus.
    case focus(Bool)
    /// A reply to a query.
    case reply(TerminalReply)
    /// The new screen size in cells and cell size in pixels.
    case resized(GridSize, CellSize)
    case signal(TerminalSignal)
    /// The terminal reported more capabilities.
    case capabilitiesChanged(TerminalCapabilities)
}

/// A signal that affects the use of the terminal.
package enum TerminalSignal: Hashable, Sendable {
    case interrupt, terminate
    /// The terminal is gone.
    case hangup
    /// The program was continued after a stop; the screen is being redrawn.
    case continued
}

/// Tells pasted text from typed keys where the terminal does not: GNU screen, the Linux console and serial lines.
///
/// An implausible number of keys in one read becomes a paste, which runs nothing. Fewer keys stay keys, but are said to
/// arrive together if one read has several, or if they follow others at once; what changes files does not act on them.
struct PasteDetector: Sendable {
    /// The shortest time between a key and the one before it, if it counts as pressed by itself.
    ///
    /// No typist is faster; a line of 1,200 baud sends a character of pasted text every 8 ms.
    static let pause = Duration.milliseconds(10)

    /// The largest number of keys in one read that counts as typing: 100.
    ///
    /// A key held down while the connection stalls for three seconds sends fewer.
    static let limit = 100

    /// Whether input still belongs to a paste until the next pause.
    private(set) var isPasting = false
    private var areTogether = false
    /// The time of the last read with keys; nil before the first.
    private var lastKeys: Duration?

    /// Processes the events of one read; during a paste, characters become pasted text and other keys are dropped.
    ///
    /// - Parameter time: The time of the read, by any clock.
    /// Complexity: O(events).
    mutating func process(_ events: [TerminalEvent], at time: Duration) -> [TerminalEvent] {
        let keys = events.count(where: Self.isKey)
        if keys > Self.limit { isPasting = true }
        if isPasting { return Self.pasting(events) }
        guard keys > 0 else { return events }
        let isTogether = keys > 1 || lastKeys.map { time - $0 < Self.pause } ?? false
        lastKeys = time
        guard areTogether != isTogether else { return events }
        areTogether = isTogether
        return [.keysTogether(isTogether)] + events
    }

    /// Handles a pause in the input, which ends a paste.
    mutating func reset() { isPasting = false }

    private static func isKey(_ event: TerminalEvent) -> Bool { if case .key = event { true } else { false } }

    /// Converts the keys; other events keep their places between the pastes.
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
