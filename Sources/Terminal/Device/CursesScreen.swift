import AlcedoCNcurses
import AlcedoScreen
import Glibc
import Raster

/// Renders frames to the bytes that update the screen, using curses to find the differences.
///
/// Curses writes into memory and never touches the terminal. Cells under a picture contain U+00A0, which curses treats
/// as text: it neither erases these cells nor takes them for blank.
/// Only one instance may exist: ncurses 6.4 loses the windows of all its screens when one is deleted.
@MainActor
final class CursesScreen {
    static let sentinel: Character = "\u{A0}"

    private let output: MemoryFile
    private let input: UnsafeMutablePointer<FILE>
    private let screen: OpaquePointer
    private var styles: CursesStyles
    /// nil if the terminal has at most 256 colours.
    private var trueColors: TrueColors?
    private var size: GridSize
    /// The last drawn cells, including sentinels; empty if every cell must be drawn again.
    private var drawn: [Cell] = []

    /// Starts curses with the first of `terminals` that the terminal database knows.
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
        (self.input, self.screen, self.size) = (input, screen, size)
        typeahead(-1)
        nonl()
        idcok(alcedo_window(), false)
        idlok(alcedo_window(), false)
        scrollok(alcedo_window(), false)
        styles = CursesStyles(theme: theme)
        trueColors = hasTrueColor ? TrueColors(theme) : nil
        curs_set(0)
        // Discard curses' first output, which enters the alternate screen; the device does that itself.
        _ = output.drain()
        resize(to: size)
    }

    isolated deinit {
        set_term(screen)
        endwin()
        delscreen(screen)
        fclose(input)
    }

    /// Returns the bytes that change the last frame into `frame`, row by row, with sentinels in the cells of `pictures`.
    ///
    /// The frame must have the screen's size. Cells that no longer belong to a picture are first written as spaces,
    /// since some terminals would keep their pixels.
    func rows(of frame: Frame, pictures: [Rect]) -> [(row: Int, bytes: [UInt8])] {
        set_term(screen)
        let cells = cells(of: frame, pictures: pictures)
        var rows: [(row: Int, bytes: [UInt8])] = []
        if !drawn.isEmpty { rows.append((-1, Sentinels.clear(from: drawn, to: cells, columns: size.columns))) }
        update(to: cells) { rows.append(($0, drain())) }
        moveCursor(to: frame.cursor)
        rows.append((size.rows, drain()))
        return rows
    }

    private func drain() -> [UInt8] {
        let text = output.drain()
        return trueColors?.replacingNumbers(in: text) ?? text
    }

    // Row by row: otherwise curses scrolls the terminal when lines move, even without `idlok`, and pictures move too.
    // A full redraw does not scroll, and needs all rows at once.
    private func update(to cells: [Cell], didDraw: (_ row: Int) -> Void) {
        let isWhole = drawn.isEmpty
        leaveok(alcedo_window(), true)
        for row in 0..<size.rows where isWhole || isChanged(row: row, in: cells) {
            put(row: row, of: cells)
            guard !isWhole else { continue }
            refresh()
            didDraw(row)
        }
        leaveok(alcedo_window(), false)
        drawn = cells
    }

    private func refresh() {
        wnoutrefresh(alcedo_window())
        doupdate()
    }

    /// Makes the next `draw` clear the screen and write every cell.
    func invalidate() {
        set_term(screen)
        drawn = []
        alcedo_redraw_all()
    }

    /// Changes the size; the next `draw` writes every cell.
    func resize(to newSize: GridSize) {
        set_term(screen)
        size = GridSize(columns: max(1, newSize.columns), rows: max(1, newSize.rows))
        resizeterm(Int32(size.rows), Int32(size.columns))
        invalidate()
    }

    /// Whether the theme's exact colours are written instead of palette colours.
    var hasTrueColor: Bool { trueColors != nil }

    /// The sequence that sets the style of empty cells, used beside pictures that do not fill their cells.
    var blankStyle: ControlSequence {
        let style = ControlSequence.blankStyle(number: styles.background)
        return trueColors.map { ControlSequence(bytes: $0.replacingNumbers(in: style.bytes)) } ?? style
    }

    /// Changes the colours; the next `draw` writes every cell.
    ///
    /// - Parameter hasTrueColor: whether the terminal has 24-bit colours.
    func setTheme(_ theme: Theme, hasTrueColor: Bool) {
        set_term(screen)
        styles = CursesStyles(theme: theme)
        trueColors = hasTrueColor ? TrueColors(theme) : nil
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

    /// Returns the first of a terminal's entries that the database has; nil if that is `TERM`'s own.
    static func substituteEntry(for environment: TerminalEnvironment) -> String? {
        guard environment.isCapable, alcedo_database_has(environment.terminal) == 0 else { return nil }
        return environment.databaseNames.first { alcedo_database_has($0) != 0 }
    }

    private func isChanged(row: Int, in cells: [Cell]) -> Bool {
        let range = row * size.columns..<(row + 1) * size.columns
        return drawn[range] != cells[range]
    }

    private func cells(of frame: Frame, pictures: [Rect]) -> [Cell] {
        var cells = frame.cells
        for rect in pictures { Sentinels.fill(rect, of: &cells, size: size) }
        return cells
    }

    /// Returns whether curses already has a cell's contents; the next cell tells whether its character is wide.
    private func isUnchanged(_ column: Int, _ row: Int, in cells: [Cell]) -> Bool {
        let place = row * size.columns + column
        guard !drawn.isEmpty, drawn[place] == cells[place] else { return false }
        return column + 1 == size.columns || drawn[place + 1] == cells[place + 1]
    }

    private func put(row: Int, of cells: [Cell]) {
        let row32 = Int32(row)
        for column in 0..<size.columns where !isUnchanged(column, row, in: cells) {
            let cell = cells[row * size.columns + column]
            guard let character = cell.character else { continue }
            let isWide = column + 1 < size.columns && cells[row * size.columns + column + 1].character == nil
            let (attributes, pair) = styles.rendition(of: cell.style)
            let text = CellText.characters(of: character, width: isWide ? 2 : 1)
            alcedo_put(row32, Int32(column), text.characters, attributes, pair)
            if text.needsFilling { alcedo_put(row32, Int32(column + 1), [0x20, 0], attributes, pair) }
        }
    }

    private func moveCursor(to cursor: Position?) {
        curs_set(cursor == nil ? 0 : 1)
        let position = cursor ?? Position(column: 0, row: 0)
        wmove(
            alcedo_window(), Int32(min(max(0, position.row), size.rows - 1)),
            Int32(min(max(0, position.column), size.columns - 1)))
        refresh()
    }

    // The terminal is assumed to use UTF-8, whatever the locale says.
    private static func useWideCharacters() {
        setlocale(LC_CTYPE, "")
        guard let name = nl_langinfo(Int32(CODESET)), String(cString: name) != "UTF-8" else { return }
        setlocale(LC_CTYPE, "C.UTF-8")
    }
}

/// A file in memory that receives curses' output.
final class MemoryFile {
    let stream: UnsafeMutablePointer<FILE>
    private let descriptor: Int32

    init() throws(TerminalError) {
        descriptor = alcedo_memory_file()
        guard descriptor >= 0 else { throw .system(call: "memfd_create", code: errno) }
        guard let stream = fdopen(descriptor, "w") else {
            close(descriptor)
            throw .system(call: "fdopen", code: errno)
        }
        self.stream = stream
    }

    deinit { fclose(stream) }

    /// Returns and removes everything written since the last call.
    func drain() -> [UInt8] {
        fflush(stream)
        let length = Int(lseek(descriptor, 0, SEEK_END))
        guard length > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
        }
        ftruncate(descriptor, 0)
        lseek(descriptor, 0, SEEK_SET)
        return bytes
    }
}

/// Converts a cell's character to curses' form: one spacing character and up to four combining ones.
enum CellText {
    /// Returns the zero-terminated characters for a cell `width` columns wide.
    ///
    /// `needsFilling` is true if they occupy one column of two. A character that is not text, or is wider than its
    /// cell, becomes `?`.
    static func characters(of character: Character, width: Int) -> (characters: [wchar_t], needsFilling: Bool) {
        // ASCII, the most frequent case, needs no table lookup.
        if let byte = character.asciiValue, byte >= 0x20, byte < 0x7F { return ([wchar_t(byte), 0], width == 2) }
        let scalars = character.unicodeScalars
        guard let first = scalars.first.map(wide) else { return ([question, 0], width == 2) }
        let used = columns(first)
        guard used == 1 || used == width else { return ([question, 0], width == 2) }
        let combining = scalars.dropFirst().lazy.map(wide).prefix { columns($0) == 0 }.prefix(4)
        return ([first] + combining + [0], used < width)
    }

    private static let question: wchar_t = 0x3F

    private static func wide(_ scalar: Unicode.Scalar) -> wchar_t { wchar_t(bitPattern: scalar.value) }

    private static func columns(_ character: wchar_t) -> Int {
        character == 0xA0 ? 1 : Int(alcedo_character_width(character))
    }
}

/// The sentinel cells under pictures.
@MainActor
private enum Sentinels {
    private static let sentinel = Cell(CursesScreen.sentinel)

    /// Fills `rect` with sentinels.
    static func fill(_ rect: Rect, of cells: inout [Cell], size: GridSize) {
        for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.row + rect.rows)) {
            for column in max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.column + rect.columns)) {
                cells[row * size.columns + column] = sentinel
            }
        }
    }

    /// Returns the bytes that overwrite former sentinel cells with spaces.
    static func clear(from old: [Cell], to new: [Cell], columns: Int) -> [UInt8] {
        var sequences: [ControlSequence] = []
        var index = 0
        while index < old.count {
            let start = index
            let end = (start / columns + 1) * columns
            while index < end, old[index] == sentinel, new[index] != sentinel {
                index += 1
            }
            guard index > start else {
                index += 1
                continue
            }
            sequences += [.move(to: Position(column: start % columns, row: start / columns)), .spaces(index - start)]
        }
        guard !sequences.isEmpty else { return [] }
        return ([.saveCursor, .resetStyle] + sequences + [.restoreCursor]).bytes
    }
}
