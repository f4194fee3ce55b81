import AlcedoBrowserCore
import FaultServer
import Foundation
import Raster
import TestSupport
import Testing

/// A list of three pictures on a server of its own, so that they come as from the network.
struct Gallery {
    let pictures: [(name: String, picture: QuadrantPicture)]
    let place: Workplace
    private let server: FaultServer

    static func open(
        _ pictures: [(name: String, picture: QuadrantPicture)] = QuadrantPicture.all
    ) async throws -> Gallery {
        let scripts = pictures.map { ("/\($0.name)", FaultScript.picture($0.picture.png)) }
        let server = try await FaultServer.start(Dictionary(uniqueKeysWithValues: scripts))
        let place = try Workplace(
            files: Dictionary(uniqueKeysWithValues: pictures.map { ("pictures/\($0.name)", $0.picture.png) }))
        try place.write(pictures.map { server.url("/\($0.name)") }.joined(separator: "\n"), to: "list.txt")
        return Gallery(pictures: pictures, place: place, server: server)
    }

    var list: String { place.path("list.txt") }

    func close() async { await server.stop() }

    /// What the browser must show of it.
    func oracle(columns: Int, rows: Int, cell: CellSize) -> StoryOracle {
        let sizes = pictures.map { ($0.name, PixelSize(width: $0.picture.width, height: $0.picture.height)) }
        return StoryOracle(sizes, columns: columns, rows: rows, cell: cell)
    }

    /// Visits every picture in a program without transitions, to know by item what it looks like to a terminal.
    func looks() async throws -> [Int: Int] {
        let cell = FakeTerminal.Kind.sixel.cell
        var oracle = oracle(columns: 100, rows: 30, cell: CellSize(width: cell.width, height: cell.height))
        let terminal = try FakeTerminal(["browse", "--no-transitions", list], in: place)
        var looks: [Int: Int] = [:]
        for item in pictures.indices {
            let rect = try #require(oracle.standing).rect
            try await eventually("the look of \(item)") {
                let pieces = terminal.screen.pieces
                guard let piece = pieces[rect.row][rect.column], !looks.values.contains(piece.picture) else {
                    return false
                }
                looks[item] = piece.picture
                return pieces.joined().count { $0 != nil } == rect.columns * rect.rows
            }
            terminal.type("j")
            _ = oracle.press("j")
        }
        terminal.type("q")
        try await eventually("its end") { terminal.status == 0 }
        return looks
    }
}
