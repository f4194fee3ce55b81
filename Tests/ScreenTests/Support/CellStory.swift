import AlcedoBrowserCore
import AlcedoScreen
import Foundation
import Raster
import TestSupport
import Testing

/// A browser in a terminal that knows whose pixels each cell shows: what it was told, and what must be seen.
struct CellStory {
    let terminal: FakeTerminal
    private let gallery: Gallery
    private var oracle: StoryOracle
    /// By item, what its picture looks like to a terminal.
    private let looks: [Int: Int]
    /// Where the browser's first cell lies.
    var origin = Position(column: 0, row: 0)
    /// How many actions there were.
    private(set) var count = 0
    private var log: [String] = []

    /// Takes over from the program's start; `columns` and `rows` are the browser's.
    init(_ terminal: FakeTerminal, of gallery: Gallery, columns: Int, rows: Int) async throws {
        let cell = FakeTerminal.Kind.sixel.cell
        (self.terminal, self.gallery) = (terminal, gallery)
        oracle = gallery.oracle(columns: columns, rows: rows, cell: CellSize(width: cell.width, height: cell.height))
        looks = try await gallery.looks()
    }

    mutating func press(_ keys: String) {
        guard oracle.press(keys) else { return }
        count += 1
        log.append(keys.debugDescription)
        terminal.type(keys)
    }

    /// Waits until every cell shows what it must.
    func rest() async throws {
        do {
            try await eventually("the picture in its place") { isRight(terminal.screen) }
        } catch {
            let last = log.suffix(30).joined(separator: " ")
            let standings = String(describing: oracle.standings)
            Issue.record(
                """
                \(count): \(last)
                \(standings)
                \(difference(terminal.screen) ?? "a picture scrolls")
                \(terminal.screen.sketch)
                \(terminal.lastWords)
                """)
            throw error
        }
    }

    private func isRight(_ screen: ScreenModel) -> Bool {
        screen.scrollingPictures == 0 && difference(screen) == nil
    }

    /// The first cell that shows something else than it must; nil if there is none.
    private func difference(_ screen: ScreenModel) -> String? {
        let standings = oracle.standings
        for (row, pieces) in screen.pieces.enumerated() {
            for (column, piece) in pieces.enumerated() {
                let wanted = standings.lazy.compactMap { self.piece(column: column, row: row, of: $0) }.first
                guard piece != wanted else { continue }
                return "column \(column), row \(row): \(String(describing: piece)), not \(String(describing: wanted))"
            }
        }
        return nil
    }

    /// What a cell must show.
    private func piece(column: Int, row: Int, of standing: StoryOracle.Standing) -> ScreenModel.Piece? {
        guard let look = looks[standing.item] else { return nil }
        let (left, top) = (column - origin.column - standing.rect.column, row - origin.row - standing.rect.row)
        guard (0..<standing.rect.columns).contains(left), (0..<standing.rect.rows).contains(top) else { return nil }
        return ScreenModel.Piece(picture: look, column: left, row: top)
    }

    mutating func resize(columns: Int, rows: Int) async throws {
        guard columns != terminal.screen.columns || rows != terminal.screen.rows else { return }
        let rounds = terminal.sizeRounds
        count += 1
        log.append("\(columns)×\(rows)")
        oracle.tell(.resized(GridSize(columns: columns, rows: rows), terminal.cell))
        terminal.resize(columns: columns, rows: rows)
        try await eventually("it asks for sizes") { terminal.sizeRounds > rounds }
        try await rest()
    }

    /// Gives the cells another size.
    mutating func zoom(to cell: (width: Int, height: Int)) async throws {
        guard cell != terminal.screen.cell else { return }
        let rounds = terminal.sizeRounds
        count += 1
        log.append("cells of \(cell.width)×\(cell.height)")
        terminal.zoom(to: cell)
        let screen = terminal.screen
        oracle.tell(.resized(GridSize(columns: screen.columns, rows: screen.rows), terminal.cell))
        try await eventually("it asks for sizes") { terminal.sizeRounds > rounds }
        try await rest()
    }

    mutating func stopAndContinue() async throws {
        let rounds = terminal.sizeRounds
        count += 1
        log.append("continue")
        terminal.send(SIGCONT)
        try await eventually("it takes the terminal anew") { terminal.sizeRounds > rounds }
        try await rest()
    }

    func quit() async throws {
        terminal.send(SIGTERM)
        try await eventually("the end") { terminal.status == 143 }
        do {
            try await eventually("everything is as it was") { terminal.screen.settings == TerminalManners() }
        } catch {
            Issue.record("\(terminal.screen.settings)\n\(terminal.lastWords)")
            throw error
        }
        #expect(terminal.screen.pixelCells == 0)
    }
}

extension FakeTerminal {
    var cell: CellSize {
        let cell = screen.cell
        return CellSize(width: cell.width, height: cell.height)
    }
}
