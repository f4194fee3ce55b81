import BrowserCore
import Raster

/// An event from the terminal, or from the system about the terminal.
package enum TerminalEvent: Equatable, Sendable {
    case key(Key)
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

/// Converts an implausible number of simultaneous keys into a paste, so that they run no commands.
///
/// Terminals without bracketed paste send pasted text as keys, and broken ones send garbage.
struct PasteDetector: Sendable {
    /// The largest number of keys in one read that counts as typing: 100.
    ///
    /// A key held down while the connection stalls for three seconds sends fewer.
    static let limit = 100

    /// Whether input still belongs to a paste until the next pause.
    private(set) var isPasting = false

    /// Processes the events of one read; during a paste, characters become pasted text and other keys are dropped.
    ///
    /// Complexity: O(events).
    mutating func process(_ events: [TerminalEvent]) -> [TerminalEvent] {
        if events.count > Self.limit, events.count(where: Self.isKey) > Self.limit { isPasting = true }
        return isPasting ? Self.pasting(events) : events
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
