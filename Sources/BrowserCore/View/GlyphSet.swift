/// The signs that the screens are drawn with: one set for Unicode terminals, one for ASCII.
struct GlyphSet: Sendable, Equatable {
    let isASCII: Bool
    let waiting: String
    let onDisk: String
    let inMemory: String
    let retrying: String
    let parked: String
    let failed: String
    let duplicate: String
    let marked: String
    let pinned: String
    /// Precedes the selected line.
    let selected: String
    let vertical: String
    let horizontal: String
    /// Joins the vertical divider to the horizontal one.
    let junction: String
    let ellipsis: String
    let times: String
    let download: String
    let enter: String
    let space: String
    let dot: String
    let ascending: String
    let descending: String
    /// One turn of the activity spinner.
    let spinner: [String]
    /// A disc from empty to full.
    let discs: [String]
    /// The cells of a thin bar: filled, half filled if there is such a sign, empty.
    let thinFull: String
    let thinHalf: String?
    let thinTrack: String
    /// Marks an animation.
    let moving: String
    /// The corners of a frame: top left, top right, bottom left, bottom right.
    let corners: [String]

    static func set(isASCII: Bool) -> GlyphSet { isASCII ? ascii : unicode }

    static let unicode = GlyphSet(
        isASCII: false, waiting: "○", onDisk: "◐", inMemory: "●", retrying: "↻", parked: "‖", failed: "✗",
        duplicate: "≡", marked: "+", pinned: "⚲", selected: "▌", vertical: "│", horizontal: "─", junction: "┴",
        ellipsis: "…", times: "×", download: "⇣", enter: "⏎", space: "␣", dot: "·", ascending: "▴",
        descending: "▾", spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
        discs: ["○", "◔", "◑", "◕", "●"], thinFull: "━", thinHalf: "╸", thinTrack: "─", moving: "▷",
        corners: ["┌", "┐", "└", "┘"])

    static let ascii = GlyphSet(
        isASCII: true, waiting: ".", onDisk: "d", inMemory: "m", retrying: "r", parked: "p", failed: "x",
        duplicate: "=", marked: "+", pinned: "P", selected: ">", vertical: "|", horizontal: "-", junction: "+",
        ellipsis: "~", times: "x", download: "v", enter: "Enter", space: "Space", dot: "-", ascending: "^",
        descending: "v", spinner: ["|", "/", "-", "\\"], discs: [".", "o", "o", "O", "@"], thinFull: "=", thinHalf: nil,
        thinTrack: "-", moving: ">", corners: ["+", "+", "+", "+"])

    /// Returns the spinner's sign at a time; it changes every 100 ms.
    func spin(at milliseconds: Int) -> String { spinner[milliseconds / 100 % spinner.count] }

    /// Returns the disc for a percentage.
    func disc(percent: Int) -> String { discs[min(discs.count - 1, max(0, percent) * discs.count / 101)] }
}
