import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ProgressiveScannerTests {
    private let start: [UInt8] = [0xFF, 0xD8] + ProgressiveJPEG.segment(0xE0) + ProgressiveJPEG.segment(0xC2)
    private let scan = ProgressiveJPEG.segment(0xDA)

    private func scans(_ bytes: [UInt8]) -> [ProgressiveScan] {
        var scanner = ProgressiveScanner()
        return scanner.append(bytes)
    }

    @Test func `a scan is complete at the next marker`() {
        let first = start + scan + [10, 20, 30]
        #expect(scans(first) == [])
        #expect(scans(first + [0xFF]) == [])
        #expect(scans(first + [0xFF, 0xC4]) == [ProgressiveScan(number: 1, end: first.count)])
        #expect(scans(first + scan) == [ProgressiveScan(number: 1, end: first.count)])
    }

    @Test func `stuffed bytes, restart markers and fill bytes do not end a scan`() {
        let coded: [UInt8] = [1, 0xFF, 0, 2] + (0xD0...0xD7).flatMap { [0xFF, $0, 3] } + [0xFF, 0xFF, 0xFF, 0, 4]
        let first = start + scan + coded
        #expect(scans(first) == [])
        #expect(scans(first + ProgressiveJPEG.segment(0xC4)) == [ProgressiveScan(number: 1, end: first.count)])
    }

    @Test func `fill bytes before a marker belong to the scan`() {
        let first = start + scan + [1, 2, 0xFF, 0xFF]
        #expect(scans(first + scan) == [ProgressiveScan(number: 1, end: first.count)])
    }

    @Test func `the last scan is not a partial picture`() {
        #expect(scans(start + scan + [1, 2] + [0xFF, 0xD9]) == [])
        #expect(scans(start + scan + [1, 2] + scan + [3, 0xFF, 0xD9]).count == 1)
    }

    @Test(arguments: [0xC0, 0xC1, 0xC3, 0xC5, 0xC9, 0xCA, 0xCF] as [UInt8])
    func `frames other than progressive Huffman have no scans`(frame: UInt8) {
        let file = [0xFF, 0xD8] + ProgressiveJPEG.segment(frame) + scan + [1, 2] + scan + [3] + scan
        #expect(scans(file) == [])
    }

    @Test func `markers inside a segment are ignored`() {
        let thumbnail = ProgressiveJPEG.segment(0xE1, [0xFF, 0xD8, 0xFF, 0xC2, 0, 2, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xDA])
        let file = [0xFF, 0xD8] + thumbnail + ProgressiveJPEG.segment(0xC0) + scan + [5] + scan
        #expect(scans(file) == [])
        #expect(scans(start + thumbnail + scan + [1] + scan + [2] + scan).count == 2)
    }

    @Test(
        arguments: [
            [0x00], [0xFF, 0xD9], [0xFF, 0xC2], [0xFF, 0xD8, 0x00], [0xFF, 0xD8, 0xFF, 0xD8],
            [0xFF, 0xD8, 0xFF, 0xC2, 0, 1],
            [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0xDA, 0, 2],
        ] as [[UInt8]])
    func `invalid data yields no scans`(bytes: [UInt8]) {
        #expect(scans(bytes + start + scan + [1] + scan) == [])
    }

    @Test func `a scan with an empty header is a scan`() {
        let head = start + [0xFF, 0xDA, 0, 2, 7]
        #expect(scans(head + scan) == [ProgressiveScan(number: 1, end: head.count)])
    }

    @Test func `the number of scans is limited`() {
        let file = start + Array(repeating: scan + [1], count: 5_000).flatMap { $0 }
        #expect(scans(file).map(\.number) == Array(1...ProgressiveScanner.maximumScans))
    }

    @Test func `the scans of a real file are found in pieces of any size`() throws {
        let file = try ProgressiveJPEG.file()
        let whole = scans(Array(file))
        #expect(whole.count == 9)
        for scan in whole { #expect(file[scan.end] == 0xFF && file[scan.end + 1] != 0) }
        var random = SeededRandom(seed: 5)
        for most in [1, 2, 7, 100, 1_024] {
            var (scanner, found, rest) = (ProgressiveScanner(), [ProgressiveScan](), file[...])
            while !rest.isEmpty {
                let count = Int.random(in: 1...most, using: &random)
                found += scanner.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(found == whole)
        }
    }

    @Test func `baseline files and other formats have no scans`() throws {
        #expect(scans(Array(try Pictures.asset("coral.jpg"))) == [])
        #expect(scans(Array(try Pictures.asset("eclipse.png"))) == [])
    }

    @Test(arguments: 0..<200)
    func `random data never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let marks: [UInt8] = [0xFF, 0xFF, 0xFF, 0xD8, 0xC2, 0xDA, 0, 0, 2, 3, 0xD9, 0xE1, 0xC4]
        let noise = (0..<500).map { _ in marks.randomElement(using: &random) ?? 0 }
        var scanner = ProgressiveScanner()
        var last = 0
        for scan in scanner.append(seed % 2 == 0 ? start + noise : noise) {
            #expect(scan.end > last)
            last = scan.end
        }
    }
}
