import AlcedoBrowserCore
import AlcedoScreen
import Foundation
import Raster
import TestSupport
import Testing

/// A browser in a real terminal: what it was told, and what must be seen.
struct PixelStory {
    private let screen: PixelScreen
    private let gallery: Gallery
    private let cell: CellSize
    private var oracle: StoryOracle
    /// By item, its picture as the program scales it.
    private var references: [Int: Bitmap] = [:]
    private var log: [String] = []

    /// How many actions there were.
    var count: Int { log.count }

    /// Where the browser's first cell lies.
    private let origin: Position

    /// Takes over from the program's start; without `columns` and `rows` the browser has the whole window.
    init(
        _ screen: PixelScreen, of gallery: Gallery, columns: Int = PixelScreen.columns, rows: Int = PixelScreen.rows,
        origin: Position = Position(column: 0, row: 0)
    ) async throws {
        (self.screen, self.gallery, self.origin) = (screen, gallery, origin)
        let shot = try await screen.shot()
        cell = CellSize(width: shot.width / PixelScreen.columns, height: shot.height / PixelScreen.rows)
        oracle = gallery.oracle(columns: columns, rows: rows, cell: cell)
        for (item, (name, picture)) in gallery.pictures.enumerated() {
            references[item] = try await screen.reference(name, width: picture.width, height: picture.height)
        }
    }

    /// Presses keys, by their X names and as terminals send them, and leaves out what would end the program.
    mutating func press(_ keys: [(name: String, text: String)]) async throws {
        var allowed: [String] = []
        for key in keys where oracle.press(key.text) { allowed.append(key.name) }
        log += allowed
        if !allowed.isEmpty { try await screen.press(allowed) }
    }

    mutating func resize(columns: Int, rows: Int) async throws {
        log.append("\(columns)×\(rows)")
        oracle.tell(.resized(GridSize(columns: columns, rows: rows), cell))
        try await screen.resize(width: columns * cell.width, height: rows * cell.height)
        try await rest()
    }

    /// Waits until the picture stands in its place, and no pixel of any picture anywhere else.
    func rest() async throws {
        do {
            try await eventually("the picture alone in its place") { isRight(try await screen.shot()) }
        } catch {
            let file = URL(filePath: "/tmp/pixel-story-\(screen.kind).ppm")
            try await screen.shot().ppm.write(to: file)
            let last = log.suffix(30).joined(separator: " ")
            Issue.record("\(last): must be \(String(describing: oracle.standings)); see \(file.path)")
            throw error
        }
    }

    private func isRight(_ shot: Bitmap) -> Bool {
        let count = shot.count(ofAny: gallery.pictures.flatMap(\.picture.colors))
        let standings = oracle.standings
        let expected = standings.compactMap { references[$0.item] }.reduce(0) { $0 + $1.width * $1.height }
        return count == expected && standings.allSatisfy { stands($0, in: shot) }
    }

    private func stands(_ standing: StoryOracle.Standing, in shot: Bitmap) -> Bool {
        guard let reference = references[standing.item] else { return false }
        let left = (origin.column + standing.rect.column) * cell.width
        let top = (origin.row + standing.rect.row) * cell.height
        let area = Bitmap.Area(x: left..<left + reference.width, y: top..<top + reference.height)
        return shot.meanError(to: reference, at: area) <= 0.02
    }

    /// Ends the program; no pixel may be left.
    func quit() async throws {
        try await screen.press("ctrl+c")
        try await eventually("no pixel of any picture") {
            try await screen.shot().count(ofAny: gallery.pictures.flatMap(\.picture.colors)) == 0
        }
    }
}
