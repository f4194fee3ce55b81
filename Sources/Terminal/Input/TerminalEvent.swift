import BrowserCore
import Raster

/// Something that came from the terminal or from the system about it.
public enum TerminalEvent: Equatable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text as it came, controls and all: not yet safe to show.
    case paste(String)
    /// The terminal's window gained (true) or lost the focus.
    case focus(Bool)
    /// An answer to a question of ours; never a key.
    case reply(TerminalReply)
    /// The screen's size in cells, a cell's size in pixels.
    case resized(GridSize, CellSize)
    case signal(TerminalSignal)
    /// The terminal told more about itself.
    case capabilitiesChanged(TerminalCapabilities)
}

/// A signal that concerns the program's hold on the terminal.
public enum TerminalSignal: Hashable, Sendable {
    case interrupt, terminate
    /// The terminal is gone.
    case hangup
    /// The program runs again after a stop; the screen is being redrawn.
    case continued
}
