/// A small terminal screen: what text stands where, which cells show which pixels, and what the program asked.
package struct ScreenModel: Sendable {
    package private(set) var columns: Int
    package private(set) var rows: Int
    /// In pixels; pictures cover cells by it.
    package var cell: (width: Int, height: Int)
    /// What outlives a program besides its text.
    package private(set) var settings = TerminalManners()
    /// Control sequences and strings that want an answer, without their introducer, since they were last taken.
    package private(set) var questions: [String] = []
    /// Scalars that a terminal would obey or hide, met where text was expected.
    package private(set) var strays: [Unicode.Scalar] = []
    /// Control sequences that the model does not know.
    package private(set) var unknown: [String] = []
    /// Sixel pictures received.
    package private(set) var pictures = 0
    /// Pictures of kitty's protocol, which text does not erase.
    package private(set) var kitty = KittyLayer()
    /// How many pictures reached into the last row of the alternate screen, which would have scrolled a real one.
    package private(set) var scrollingPictures = 0
    private var grid: [[Cell]]
    /// The main screen, while the alternate one is shown.
    private var main: (grid: [[Cell]], cursor: (column: Int, row: Int))?
    package private(set) var cursor = (column: 0, row: 0)
    private var saved = (column: 0, row: 0)
    private var region: Range<Int>
    private var last: Character = " "
    private var parser = SequenceParser()

    /// One cell's share of a picture.
    package struct Piece: Hashable, Sendable {
        /// The same for the equal only.
        package let picture: Int
        package let column: Int
        package let row: Int

        package init(picture: Int, column: Int, row: Int) {
            self.picture = picture
            self.column = column
            self.row = row
        }
    }

    private struct Cell {
        var text: Character = " "
        var piece: Piece?
    }

    package init(columns: Int, rows: Int, cell: (width: Int, height: Int) = (10, 20)) {
        self.columns = columns
        self.rows = rows
        self.cell = cell
        region = 0..<rows
        grid = Self.blank(columns, rows)
    }

    /// The text of the rows, without the blanks at their ends.
    package var lines: [String] {
        grid.map { row in
            let texts: [Character] = row.map(\.text).filter { $0 != "\u{0}" }
            var line = String(texts.map { $0 == "\u{A0}" ? " " : $0 })
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The text of a row, without the blanks at its end.
    package func line(_ row: Int) -> String { lines[row] }

    package var text: String { lines.joined(separator: "\n") }

    package func contains(_ words: String) -> Bool { text.contains(words) }

    /// How many cells show pixels.
    package var pixelCells: Int { grid.joined().count { $0.piece != nil } }

    /// What pixels each cell shows.
    package var pieces: [[Piece?]] { grid.map { $0.map(\.piece) } }

    /// Private modes that are set, such as 1049 for the alternate screen.
    package var modes: Set<Int> { settings.modes }

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        for token in parser.parse(bytes) { obey(token) }
    }

    package mutating func takeQuestions() -> [String] {
        defer { questions = [] }
        return questions
    }

    package mutating func resize(columns: Int, rows: Int) {
        var fresh = Self.blank(columns, rows)
        for row in 0..<min(rows, grid.count) {
            for column in 0..<min(columns, grid[row].count) { fresh[row][column] = grid[row][column] }
        }
        (grid, self.columns, self.rows, region) = (fresh, columns, rows, 0..<rows)
        settings.region = nil
        move(to: cursor.column, cursor.row)
    }

    private static func blank(_ columns: Int, _ rows: Int) -> [[Cell]] {
        Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }
}

// MARK: - Obeying

extension ScreenModel {
    private mutating func obey(_ token: SequenceParser.Token) {
        switch token {
        case .scalar(let scalar): take(scalar)
        case .escape(let final): escape(final)
        case .charset(let set, let name): settings.charsets[set] = name == "B" ? nil : name
        case .control(let body, let final): control(body, final)
        case .string(let kind, let body): string(kind, body)
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x0D: cursor.column = 0
        case 0x0A: lineFeed()
        case 0x08: cursor.column = max(0, cursor.column - 1)
        case 0x09: cursor.column = min(columns - 1, (cursor.column / 8 + 1) * 8)
        case 0x0E, 0x0F: settings.isShifted = scalar.value == 0x0E
        case 0x18: break
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: strays.append(scalar)
        default: write(Character(scalar))
        }
    }

    private mutating func write(_ character: Character) {
        if cursor.column >= columns {
            cursor.column = 0
            lineFeed()
        }
        grid[cursor.row][cursor.column] = Cell(text: character)
        last = character
        cursor.column += 1
        let isWide = character.unicodeScalars.contains { (0x1100...0x115F).contains($0.value) || $0.value >= 0x2E80 }
        guard isWide, cursor.column < columns else { return }
        grid[cursor.row][cursor.column] = Cell(text: "\u{0}")
        cursor.column += 1
    }

    private mutating func lineFeed() {
        if cursor.row == region.upperBound - 1 {
            scroll(by: 1, from: region.lowerBound)
        } else {
            move(to: cursor.column, cursor.row + 1)
        }
    }

    private mutating func escape(_ final: Unicode.Scalar) {
        switch final {
        case "7": saved = cursor
        case "8": cursor = saved
        case "=", ">": settings.hasApplicationKeypad = final == "="
        case "M":
            if cursor.row == region.lowerBound {
                scroll(by: -1, from: cursor.row)
            } else {
                move(to: cursor.column, cursor.row - 1)
            }
        case "\\": break
        default: unknown.append("ESC \(final)")
        }
    }

    private mutating func string(_ kind: Unicode.Scalar, _ body: String) {
        if kind == "P", body.contains("q") { draw(body) }
        if kind == "]" { if body.hasSuffix("?") { questions.append(body) } else { settings.changes.append(body) } }
        if kind == "_", body.hasPrefix("G"), kitty.obey(body.dropFirst(), at: cursor) { questions.append("kitty") }
    }

    private mutating func draw(_ body: String) {
        guard let size = body.firstMatch(of: /"1;1;(\d+);(\d+)/), let width = Int(size.1), let height = Int(size.2)
        else {
            return
        }
        pictures += 1
        let end = cursor.row + (height + cell.height - 1) / cell.height
        if modes.contains(1049), end >= rows { scrollingPictures += 1 }
        let bottom = min(rows, end)
        let right = min(columns, cursor.column + (width + cell.width - 1) / cell.width)
        for row in cursor.row..<bottom {
            for column in min(cursor.column, right)..<right {
                grid[row][column].piece = Piece(
                    picture: body.hashValue, column: column - cursor.column, row: row - cursor.row)
            }
        }
    }

    private mutating func control(_ body: String, _ final: Character) {
        let numbers = body.drop { !$0.isNumber && $0 != ";" }.split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        switch final {
        case "H", "f": move(to: max(1, numbers.count > 1 ? numbers[1] : 1) - 1, count - 1)
        case "d": move(to: cursor.column, count - 1)
        case "G": move(to: count - 1, cursor.row)
        case "A": move(to: cursor.column, cursor.row - count)
        case "B": move(to: cursor.column, cursor.row + count)
        case "C": move(to: cursor.column + count, cursor.row)
        case "D": move(to: cursor.column - count, cursor.row)
        case "b": for _ in 0..<min(count, columns) { write(last) }
        case "h", "l": set(numbers, isPrivate: body.hasPrefix("?"), final == "h")
        case "m": if !body.hasPrefix(">") { settings.style = ["", "0"].contains(body) ? "" : body }
        case "r": setRegion(numbers)
        case "c", "n", "S", "t", "q", "p": ask(body, final, count)
        default: edit(body, final, numbers.first ?? 0)
        }
    }

    private mutating func edit(_ body: String, _ final: Character, _ number: Int) {
        let count = max(1, number)
        let row = cursor.row
        let column = min(cursor.column, columns - 1)
        switch final {
        case "X": erase(row, column..<min(columns, column + count))
        case "K": erase(row, number == 1 ? 0..<(column + 1) : number == 2 ? 0..<columns : column..<columns)
        case "J": eraseDisplay(number)
        case "@", "P": shift(row, column, by: final == "@" ? count : -count)
        case "L": scroll(by: -count, from: row)
        case "M": scroll(by: count, from: row)
        case "T": scroll(by: -count, from: region.lowerBound)
        default: unknown.append("CSI \(body)\(final)")
        }
    }

    private mutating func ask(_ body: String, _ final: Character, _ count: Int) {
        if final == "S", !body.hasPrefix("?") { return scroll(by: count, from: region.lowerBound) }
        if final == "p", !body.hasSuffix("$") { return }
        if final == "q", body.hasSuffix(" ") { return settings.changes.append("cursor \(body)") }
        questions.append(body + String(final))
    }

    private mutating func set(_ numbers: [Int], isPrivate: Bool, _ isOn: Bool) {
        for number in numbers where isPrivate {
            if isOn { settings.modes.insert(number) } else { settings.modes.remove(number) }
            if number == 1049 { switchScreen(toAlternate: isOn) }
        }
        for number in numbers where !isPrivate {
            if isOn { settings.publicModes.insert(number) } else { settings.publicModes.remove(number) }
        }
    }

    private mutating func switchScreen(toAlternate isOn: Bool) {
        if isOn {
            main = main ?? (grid, cursor)
            grid = Self.blank(columns, rows)
        } else if let before = main {
            (grid, main) = (before.grid, nil)
            resize(columns: columns, rows: rows)
            move(to: before.cursor.column, before.cursor.row)
        }
    }

    private mutating func setRegion(_ numbers: [Int]) {
        region = region(numbers)
        settings.region = region == 0..<rows ? nil : region
    }

    private func region(_ numbers: [Int]) -> Range<Int> {
        let top = max(1, numbers.first ?? 1) - 1
        let bottom = min(rows, numbers.count > 1 && numbers[1] > 0 ? numbers[1] : rows)
        return top < bottom ? top..<bottom : 0..<rows
    }

    private mutating func move(to column: Int, _ row: Int) {
        cursor = (min(max(0, column), columns - 1), min(max(0, row), rows - 1))
    }

    private mutating func erase(_ row: Int, _ range: Range<Int>) {
        for column in range { grid[row][column] = Cell() }
    }

    private mutating func eraseDisplay(_ kind: Int) {
        if kind == 0 { erase(cursor.row, min(cursor.column, columns)..<columns) }
        for row in (kind == 0 ? cursor.row + 1 : 0)..<max(kind == 0 ? cursor.row + 1 : 0, kind == 1 ? cursor.row : rows)
        {
            erase(row, 0..<columns)
        }
    }

    private mutating func shift(_ row: Int, _ column: Int, by count: Int) {
        let blanks = Array(repeating: Cell(), count: min(abs(count), columns - column))
        var line = grid[row]
        if count > 0 {
            line.insert(contentsOf: blanks, at: column)
        } else {
            line.removeSubrange(column..<column + blanks.count)
            line += blanks
        }
        grid[row] = Array(line.prefix(columns))
    }

    private mutating func scroll(by count: Int, from top: Int) {
        let bottom = region.upperBound
        guard top < bottom else { return }
        let blanks = Self.blank(columns, min(abs(count), bottom - top))
        let part = Array(grid[top..<bottom])
        grid.replaceSubrange(
            top..<bottom, with: count > 0 ? part.dropFirst(blanks.count) + blanks : blanks + part.dropLast(blanks.count)
        )
    }
}
