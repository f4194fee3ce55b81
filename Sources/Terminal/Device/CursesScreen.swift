import BrowserCore
import CNcurses
import Glibc
import Raster

/// Turns frames into the bytes that change the screen from the last frame to the next; curses finds the difference.
///
/// Curses writes into memory and never touches the terminal. Cells under a picture are filled with U+00A0: to curses
/// they are text, so that it neither erases them by accident nor takes them for blank.
/// One at a time: ncurses 6.4 loses the windows of all its screens when one is deleted.
@MainActor
final class CursesScreen {
    static let sentinel: Character = "\u{A0}"

    private let output: MemoryFile
    private let input: UnsafeMutablePointer<FILE>
    private let screen: OpaquePointer
    private var styles: CursesStyles
    /// nil where the terminal has 256 colours at most.
    private var trueColors: TrueColors?
    private var size: GridSize
    /// The cells as last drawn, sentinels in place; empty when every cell is to be set anew.
    private var drawn: [Cell] = []

    /// Starts curses for the first of `terminals` that the terminal database has an entry for.
    init(
        terminals: [String], size: GridSize, theme: Theme = .dark, hasTrueColor: Bool = false
    ) throws(TerminalError) {
        Self.useWideCharacters()
        output = try MemoryFile()
        guard let input = fopen("/dev/null", "r") else { throw .system(call: "fopen", code: errno) }
        guard let screen = Self.newScreen(terminals, output: output.stream, input: input) else {
            fclose(input)
            throw .unknownTerminal(terminals.last ?? "")
        }
        self.input = input
        self.screen = screen
        self.size = size
        typeahead(-1)
        nonl()
        idcok(alcedo_window(), false)
        idlok(alcedo_window(), false)
        scrollok(alcedo_window(), false)
        styles = CursesStyles(theme: theme)
        trueColors = hasTrueColor ? TrueColors(theme) : nil
        curs_set(0)
        // What curses wrote so far switches to the alternate screen, which is the device's business.
        _ = output.drain()
        resize(to: size)
    }

    isolated deinit {
        set_term(screen)
        endwin()
        delscreen(screen)
        fclose(input)
    }

    /// The bytes that turn the last frame into `frame`; in `pictures` its cells give way to sentinels.
    ///
    /// Cells that leave a picture come first, as spaces: not every terminal clears pixels otherwise.
    func draw(_ frame: Frame, pictures: [Rect]) -> [UInt8] {
        set_term(screen)
        let cells = cells(of: frame, pictures: pictures)
        let vacated = drawn.isEmpty ? [] : SentinelRuns.vacated(from: drawn, to: cells, columns: size.columns)
        update(to: cells)
        place(frame.cursor)
        let text = output.drain()
        return vacated + (trueColors?.exact(text) ?? text)
    }

    // Row by row, because curses would else scroll the terminal when lines moved, pictures with them, `idlok` or not.
    // When it is to clear the screen it does not scroll, and must know all rows at once.
    private func update(to cells: [Cell]) {
        let isWhole = drawn.isEmpty
        leaveok(alcedo_window(), true)
        for row in 0..<size.rows where isWhole || isChanged(row: row, in: cells) {
            put(row: row, of: cells)
            if !isWhole { refresh() }
        }
        leaveok(alcedo_window(), false)
        drawn = cells
    }

    private func refresh() {
        wnoutrefresh(alcedo_window())
        doupdate()
    }

    /// Makes the next `draw` clear the screen and write all of it.
    func invalidate() {
        set_term(screen)
        drawn = []
        alcedo_redraw_all()
    }

    /// Takes the terminal's new size; the next `draw` writes all of it.
    func resize(to newSize: GridSize) {
        set_term(screen)
        size = GridSize(columns: max(1, newSize.columns), rows: max(1, newSize.rows))
        resizeterm(Int32(size.rows), Int32(size.columns))
        invalidate()
    }

    /// Whether the theme's exact colours are written, not the nearest of the palette.
    var hasTrueColor: Bool { trueColors != nil }

    /// What sets the style of empty cells, beside pictures that do not fill theirs.
    var blankStyle: ControlSequence {
        let style = ControlSequence.blankStyle(number: styles.background)
        return trueColors.map { ControlSequence(bytes: $0.exact(style.bytes)) } ?? style
    }

    /// Takes other colours; the next `draw` writes all of the screen.
    ///
    /// - Parameter hasTrueColor: whether the terminal has 24-bit colours; nil leaves it as it was.
    func use(_ theme: Theme, hasTrueColor: Bool? = nil) {
        set_term(screen)
        styles = CursesStyles(theme: theme)
        trueColors = hasTrueColor ?? self.hasTrueColor ? TrueColors(theme) : nil
        invalidate()
    }

    private static func newScreen(
        _ terminals: [String], output: UnsafeMutablePointer<FILE>, input: UnsafeMutablePointer<FILE>
    ) -> OpaquePointer? {
        for terminal in terminals {
            if let screen = alcedo_new_screen(terminal, output, input) { return screen }
        }
        return nil
    }

    private func isChanged(row: Int, in cells: [Cell]) -> Bool {
        let range = row * size.columns..<(row + 1) * size.columns
        return drawn[range] != cells[range]
    }

    private func cells(of frame: Frame, pictures: [Rect]) -> [Cell] {
        var cells = frame.size == size ? frame.cells : fitted(frame)
        for rect in pictures { SentinelRuns.fill(rect, of: &cells, size: size) }
        return cells
    }

    /// What there is room for of a frame that was made for another size.
    private func fitted(_ frame: Frame) -> [Cell] {
        var cells = Array(repeating: Cell.blank, count: size.columns * size.rows)
        for row in 0..<min(size.rows, frame.size.rows) {
            for column in 0..<min(size.columns, frame.size.columns) {
                cells[row * size.columns + column] = frame[column, row]
            }
        }
        return cells
    }

    /// Whether curses has a cell as it is to be; the next one says whether its character is a wide one.
    private func stands(_ column: Int, _ row: Int, in cells: [Cell]) -> Bool {
        let place = row * size.columns + column
        guard !drawn.isEmpty, drawn[place] == cells[place] else { return false }
        return column + 1 == size.columns || drawn[place + 1] == cells[place + 1]
    }

    private func put(row: Int, of cells: [Cell]) {
        let row32 = Int32(row)
        for column in 0..<size.columns where !stands(column, row, in: cells) {
            let cell = cells[row * size.columns + column]
            guard let character = cell.character else { continue }
            let isWide = column + 1 < size.columns && cells[row * size.columns + column + 1].character == nil
            let (attributes, pair) = styles.look(of: cell.style)
            let text = CellText.characters(of: character, width: isWide ? 2 : 1)
            alcedo_put(row32, Int32(column), text.characters, attributes, pair)
            if text.needsFilling { alcedo_put(row32, Int32(column + 1), [0x20, 0], attributes, pair) }
        }
    }

    private func place(_ cursor: Position?) {
        curs_set(cursor == nil ? 0 : 1)
        let position = cursor ?? Position(column: 0, row: 0)
        wmove(
            alcedo_window(), Int32(min(max(0, position.row), size.rows - 1)),
            Int32(min(max(0, position.column), size.columns - 1)))
        refresh()
    }

    // The terminal is taken for a UTF-8 one whatever the locale says of it.
    private static func useWideCharacters() {
        setlocale(LC_CTYPE, "")
        guard let name = nl_langinfo(Int32(CODESET)), String(cString: name) != "UTF-8" else { return }
        setlocale(LC_CTYPE, "C.UTF-8")
    }
}
