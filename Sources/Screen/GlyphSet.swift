/// The signs that the screens are drawn with: one set for Unicode terminals, one for ASCII.
package struct GlyphSet: Sendable, Equatable {
    package let isASCII: Bool
    package let waiting: String
    package let onDisk: String
    package let inMemory: String
    package let retrying: String
    package let parked: String
    package let failed: String
    package let duplicate: String
    package let marked: String
    package let folder: String
    package let pinned: String
    /// Precedes the selected line.
    package let selected: String
    package let vertical: String
    package let horizontal: String
    /// Joins the vertical divider to the horizontal one.
    package let junction: String
    package let ellipsis: String
    package let times: String
    package let download: String
    package let enter: String
    package let space: String
    package let dot: String
    package let ascending: String
    package let descending: String
    /// One turn of the activity spinner.
    package let spinner: [String]
    /// A disc from empty to full.
    package let discs: [String]
    /// The cells of a thin bar: filled, half filled if there is such a sign, empty.
    package let thinFull: String
    package let thinHalf: String?
    package let thinTrack: String
    /// Marks an animation.
    package let moving: String
    /// The corners of a frame: top left, top right, bottom left, bottom right.
    package let corners: [String]
    /// The levels of graphs, the lowest first.
    package let levels: [String]
    /// Stands for rows that are left over.
    package let moreRows: String

    package static func set(isASCII: Bool) -> GlyphSet { isASCII ? ascii : unicode }

    package static let unicode = GlyphSet(
        isASCII: false, waiting: "○", onDisk: "◐", inMemory: "●", retrying: "↻", parked: "‖", failed: "✗",
        duplicate: "≡", marked: "+", folder: "▸", pinned: "⚲", selected: "▌", vertical: "│", horizontal: "─",
        junction: "┴",
        ellipsis: "…", times: "×", download: "⇣", enter: "⏎", space: "␣", dot: "·", ascending: "▴",
        descending: "▾", spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
        discs: ["○", "◔", "◑", "◕", "●"], thinFull: "━", thinHalf: "╸", thinTrack: "─", moving: "▷",
        corners: ["┌", "┐", "└", "┘"], levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], moreRows: "⋮")

    package static let ascii = GlyphSet(
        isASCII: true, waiting: ".", onDisk: "d", inMemory: "m", retrying: "r", parked: "p", failed: "x",
        duplicate: "=", marked: "+", folder: "/", pinned: "P", selected: ">", vertical: "|", horizontal: "-",
        junction: "+",
        ellipsis: "~", times: "x", download: "v", enter: "Enter", space: "Space", dot: "-", ascending: "^",
        descending: "v", spinner: ["|", "/", "-", "\\"], discs: [".", "o", "o", "O", "@"], thinFull: "=", thinHalf: nil,
        thinTrack: "-", moving: ">", corners: ["+", "+", "+", "+"],
        levels: ["_", ".", "-", "=", "#"], moreRows: ":")

    /// Returns the spinner's sign at a time; it changes every 100 ms.
    package func spin(at milliseconds: Int) -> String { spinner[milliseconds / 100 % spinner.count] }

    /// Returns a graph of shares, 0 to 1, one cell each.
    package func graph(_ shares: [Double]) -> String {
        shares.map { levels[Int(min(1, max(0, $0)) * Double(levels.count - 1) + 0.5)] }.joined()
    }

    /// Returns the lines of a graph of shares that is some rows high, the highest first.
    package func graph(_ shares: [Double], rows: Int) -> [String] {
        (0..<rows).reversed().map { row in
            let parts = shares.map { $0 * Double(rows) - Double(row) }
            return row == 0 ? graph(parts) : parts.map { $0 > 0 ? graph([$0]) : " " }.joined()
        }
    }

    /// Returns the disc for a percentage.
    package func disc(percent: Int) -> String { discs[min(discs.count - 1, max(0, percent) * discs.count / 101)] }
}
