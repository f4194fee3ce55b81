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
