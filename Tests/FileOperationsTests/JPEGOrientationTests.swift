import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoFileOperations

@Suite(.timeLimit(.minutes(1))) struct JPEGOrientationTests {
    private typealias Rows = [[Int]]
    private static let picture = [[1, 2, 3], [4, 5, 6]]
    private static let turns = Orientation.allCases

    /// Turns rows of pixels by the definition: mirrored first, then turned clockwise.
    private func apply(_ turn: Orientation, to rows: Rows) -> Rows {
        let start = turn.isMirrored ? rows.map { Array($0.reversed()) } : rows
        return (0..<turn.quarters).reduce(start) { rows, _ in
            rows[0].indices.map { column in rows.map { $0[column] }.reversed() }
        }
    }

    @Test func `the numbers are those of EXIF`() {
        let shown: [Rows] = [
            [[1, 2, 3], [4, 5, 6]], [[3, 2, 1], [6, 5, 4]], [[6, 5, 4], [3, 2, 1]], [[4, 5, 6], [1, 2, 3]],
            [[1, 4], [2, 5], [3, 6]], [[4, 1], [5, 2], [6, 3]], [[6, 3], [5, 2], [4, 1]], [[3, 6], [2, 5], [1, 4]],
        ]
        #expect(Self.turns.map { apply($0, to: Self.picture) } == shown)
        #expect(Self.turns.map(\.rawValue) == Array(1...8))
    }

    @Test func `two turns in a row are one turn, and a turn has a turn back`() {
        for one in Self.turns {
            for other in Self.turns {
                let both = apply(other, to: apply(one, to: Self.picture))
                #expect(apply(one.followed(by: other), to: Self.picture) == both)
            }
            #expect(one.followed(by: one.inverse) == .upright)
        }
    }

    // MARK: - JPEG

    private static let scan: [UInt8] = [0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9]

    /// A file with a JFIF segment, and an EXIF segment if there is TIFF data.
    private func file(_ exif: [UInt8]?) -> [UInt8] {
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 7, 7]
        guard let exif else { return start + Self.scan }
        let length = exif.count + 8
        let head = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array("Exif\0\0".utf8)
        return start + head + exif + Self.scan
    }

    /// TIFF data with entries of short numbers, in either order of bytes.
    private func tiff(_ entries: [(tag: Int, value: Int)], isBig: Bool) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(value >> ($0 * 8) & 255) }
            return isBig ? bytes.reversed() : bytes
        }
        let head = (isBig ? [0x4D, 0x4D] : [0x49, 0x49]) + number(42, 2) + number(8, 4) + number(entries.count, 2)
        let rows: [[UInt8]] = entries.map { entry in
            number(entry.tag, 2) + number(3, 2) + number(1, 4) + number(entry.value, 2) + number(0, 2)
        }
        return head + rows.joined() + number(0, 4) + [9, 9, 9]
    }

    /// The entries that a reader of TIFF data finds, by its own way.
    private func entries(_ file: [UInt8]) -> [Int: Int]? {
        guard let name = file.firstRange(of: Array("Exif\0\0".utf8)) else { return nil }
        let data = Array(file[name.upperBound...])
        let isBig = data[0] == 0x4D
        func number(_ place: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(data[place + $1]) << ((isBig ? size - 1 - $1 : $1) * 8) }
        }
        let start = number(4, 4)
        let rows = (0..<number(start, 2)).map { start + 2 + $0 * 12 }
        let found = rows.map { (number($0, 2), number($0 + 8, 2)) }
        guard found.map(\.0) == found.map(\.0).sorted() else { return nil }
        return Dictionary(found) { first, _ in first }
    }

    @Test(arguments: [true, false]) func `the orientation in the file is turned on`(isBig: Bool) throws {
        for old in 1...8 {
            for turn in Self.turns {
                let before = file(tiff([(271, 5), (274, old), (282, 6)], isBig: isBig))
                let after = try JPEGOrientation.turned(before, by: turn)
                let new = Int(try #require(Orientation(rawValue: UInt16(old))).followed(by: turn).rawValue)
                #expect(entries(after) == [271: 5, 274: new, 282: 6])
                #expect(after.count == before.count && after.suffix(Self.scan.count) == Self.scan[...])
            }
        }
    }

    @Test(arguments: [true, false]) func `data without an orientation gets one, in its place`(isBig: Bool) throws {
        for tags in [[], [271], [282], [271, 282]] {
            let exif = tiff(tags.map { ($0, 5) }, isBig: isBig)
            let after = try JPEGOrientation.turned(file(exif), by: .turnedRight)
            #expect(entries(after) == Dictionary(uniqueKeysWithValues: tags.map { ($0, 5) } + [(274, 6)]))
            #expect(after.suffix(Self.scan.count) == Self.scan[...])
        }
    }

    @Test func `a file without EXIF data gets some`() throws {
        let before = file(nil)
        let after = try JPEGOrientation.turned(before, by: .turnedLeft)
        #expect(entries(after) == [274: 8] && after.suffix(before.count - 2) == before.suffix(before.count - 2))
    }

    @Test func `what is no JPEG, or is damaged, stays as it is`() {
        let cases: [[UInt8]] = [
            [], [0xFF], [0xFF, 0xD8], Array("\u{89}PNG".utf8), file([]), file([0x4D]),
            file([0x4D, 0x4D, 0, 42, 0, 0, 0, 99]),
            file([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0xFF, 0xFF]), file(Array(repeating: 0xFF, count: 40)),
        ]
        for bytes in cases { #expect(throws: FileProblem.self) { try JPEGOrientation.turned(bytes, by: .turnedRight) } }
        var full = tiff([(271, 5)], isBig: true)
        full += [UInt8](repeating: 0, count: 0xFFFF - 8 - full.count)
        #expect(throws: FileProblem.self) { try JPEGOrientation.turned(file(full), by: .turnedRight) }
        // Segments that lead to no picture are no JPEG file.
        for bytes: [UInt8] in [
            [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF], [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9],
        ] {
            #expect(throws: FileProblem.self) {
                try JPEGOrientation.turned(bytes, by: .turnedRight)
            }
        }
    }

    @Test func `a picture is turned in its file in one step, and back`() throws {
        let place = try TemporaryFolder()
        let files = FileOperator(trashFolder: place / "Trash")
        let path = try place.write("a.jpg", file(nil))
        symlink(path, place / "link.jpg")
        chmod(path, 0o640)
        let outcome = files.perform(.turn(by: [.turnedRight]), on: [place / "link.jpg"])
        let bytes = try Array(Data(contentsOf: URL(filePath: path)))
        #expect(outcome.failures.isEmpty && entries(bytes) == [274: 6])
        #expect((FileStep.status(path)?.st_mode ?? 0) & 0o777 == 0o640)
        #expect((FileStep.status(place / "link.jpg", followsLink: false)?.st_mode ?? 0) & S_IFMT == S_IFLNK)
        #expect(files.undo(outcome.changes).failures.isEmpty)
        #expect(entries(try Array(Data(contentsOf: URL(filePath: path)))) == [274: 1])
        let other = try place.write("a.png", Array("\u{89}PNG".utf8))
        #expect(
            files.perform(.turn(by: [.turnedRight]), on: [other]).failures.first?.reason.contains(":export") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 3)
    }
}
