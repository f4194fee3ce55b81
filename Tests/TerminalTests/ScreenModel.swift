/// A small terminal screen: what text stands where, and which cells show pixels of which picture.
///
/// It knows the sequences that curses and this project send and records those it does not.
/// Text, erasing and spaces remove pixels, as in xterm; a picture is known by its first colour register's red share.
struct ScreenModel {
    let columns: Int
    let rows: Int
    let cellWidth = 10
    let cellHeight = 20
    private(set) var text: [[Character]]
    /// The picture whose pixels the cell shows; nil when there are none.
    private(set) var pixels: [[Int?]]
    private(set) var modes: Set<String> = []
    private(set) var unknown: [String] = []
    private(set) var scrolled = 0
    private(set) var statusQuestions = 0
    var column = 0
    var row = 0
    private var saved = (column: 0, row: 0)
    private var last: Character = " "

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        text = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        pixels = Array(repeating: Array(repeating: nil, count: columns), count: rows)
    }

    /// The text of a row, without the blanks at its end; sentinels count as blanks.
    func line(_ row: Int) -> String {
        var line = String(text[row].filter { $0 != "\u{0}" }.map { $0 == "\u{A0}" ? " " : $0 })
        while line.last == " " { line.removeLast() }
        return line
    }

    /// How many cells show pixels.
    var pixelCells: Int { pixels.joined().filter { $0 != nil }.count }

    mutating func feed(_ bytes: [UInt8]) {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        var index = 0
        while index < scalars.count { step(scalars, &index) }
    }

    private mutating func step(_ scalars: [Unicode.Scalar], _ index: inout Int) {
        let scalar = scalars[index]
        index += 1
        switch scalar {
        case "\u{1B}": escape(scalars, &index)
        case "\r": column = 0
        case "\n": row = min(rows - 1, row + 1)
        case "\u{8}": column = max(0, column - 1)
        case "\t": column = min(columns - 1, (column / 8 + 1) * 8)
        case "\u{18}": break
        default: write(Character(scalar))
        }
    }

    private mutating func write(_ character: Character) {
        let isWide = character.unicodeScalars.first.map { (0x1100...0x115F).contains($0.value) || $0.value >= 0x2E80 }
        if column >= columns {
            guard modes.contains("?7") || !modes.contains("-?7") else { return }
            column = 0
            row = min(rows - 1, row + 1)
        }
        set(character)
        last = character
        column += 1
        guard isWide == true, column < columns else { return }
        set("\u{0}")
        column += 1
    }

    private mutating func set(_ character: Character) {
        text[row][column] = character
        pixels[row][column] = nil
    }

    private mutating func escape(_ scalars: [Unicode.Scalar], _ index: inout Int) {
        guard index < scalars.count else { return }
        let kind = scalars[index]
        index += 1
        switch kind {
        case "7": saved = (column, row)
        case "8": (column, row) = saved
        case "(", ")": index += 1
        case "\\", "=", ">": break
        case "[": control(scalars, &index)
        case "P", "]", "_": string(kind, scalars, &index)
        default: unknown.append("ESC \(kind)")
        }
    }

    private mutating func string(_ kind: Unicode.Scalar, _ scalars: [Unicode.Scalar], _ index: inout Int) {
        var body = ""
        while index < scalars.count, scalars[index] != "\u{1B}", scalars[index] != "\u{18}" {
            body.unicodeScalars.append(scalars[index])
            index += 1
        }
        guard index < scalars.count else { return }
        let isWhole = scalars[index] == "\u{1B}"
        index += isWhole ? 2 : 1
        if isWhole, kind == "P" { draw(body) }
    }

    private mutating func draw(_ body: String) {
        guard let quote = body.firstIndex(of: "\""), let color = body.firstRange(of: "#0;2;") else { return }
        let size = body[quote...].dropFirst().prefix { $0 != "#" }.split(separator: ";").compactMap { Int($0) }
        let picture = body[color.upperBound...].prefix { $0.isNumber }
        let width = (size[2] + cellWidth - 1) / cellWidth
        let height = (size[3] + cellHeight - 1) / cellHeight
        if row + height >= rows { scrolled += 1 }
        for line in row..<min(rows, row + height) {
            for cell in column..<min(columns, column + width) { pixels[line][cell] = Int(picture) }
        }
    }

    private mutating func control(_ scalars: [Unicode.Scalar], _ index: inout Int) {
        var body = ""
        while index < scalars.count, !(0x40...0x7E).contains(scalars[index].value) {
            body.unicodeScalars.append(scalars[index])
            index += 1
        }
        guard index < scalars.count else { return }
        let final = Character(scalars[index])
        index += 1
        let numbers = body.drop { !$0.isNumber && $0 != ";" }.split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        perform(final, body, numbers)
    }

    private mutating func perform(_ final: Character, _ body: String, _ numbers: [Int]) {
        let count = max(1, numbers.first ?? 1)
        switch final {
        case "H": move(to: (numbers.count > 1 ? numbers[1] : 1) - 1, max(1, numbers.first ?? 1) - 1)
        case "d": move(to: column, count - 1)
        case "G": move(to: count - 1, row)
        case "A": move(to: column, row - count)
        case "B": move(to: column, row + count)
        case "C": move(to: column + count, row)
        case "D": move(to: column - count, row)
        case "b": for _ in 0..<count { write(last) }
        case "X": erase(columns: column..<min(columns, column + count), row: row)
        case "K": erase(columns: numbers.first == 1 ? 0..<(column + 1) : column..<columns, row: row)
        case "J": eraseDisplay(numbers.first ?? 0)
        case "h": setModes(body, true)
        case "l": setModes(body, false)
        case "n": statusQuestions += 1
        case "m", "r", "t": break
        default: unknown.append("CSI \(body)\(final)")
        }
    }

    private mutating func setModes(_ body: String, _ isSet: Bool) {
        for mode in body.drop(while: { $0 == "?" }).split(separator: ";") {
            let name = (body.hasPrefix("?") ? "?" : "") + mode
            if isSet {
                modes.insert(name)
                modes.remove("-" + name)
            } else {
                modes.remove(name)
                modes.insert("-" + name)
            }
        }
    }

    private mutating func move(to column: Int, _ row: Int) {
        self.column = min(max(0, column), columns - 1)
        self.row = min(max(0, row), rows - 1)
    }

    private mutating func erase(columns range: Range<Int>, row: Int) {
        for column in range {
            text[row][column] = " "
            pixels[row][column] = nil
        }
    }

    private mutating func eraseDisplay(_ kind: Int) {
        if kind == 0 { erase(columns: column..<columns, row: row) }
        for line in (kind == 2 ? 0 : row + 1)..<rows { erase(columns: 0..<columns, row: line) }
    }
}
