import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct EncodedFrameCacheTests {
    @Test func `what is stored is found`() {
        var cache = EncodedFrameCache<Int>(budget: 100)
        cache.store(picture(40), for: 1)
        #expect(cache.picture(for: 1) == picture(40))
        #expect(cache.picture(for: 2) == nil)
        #expect(cache.totalCost == 40)
    }

    @Test func `what was not used for longest goes first`() {
        var cache = EncodedFrameCache<Int>(budget: 100)
        for key in 1...3 { cache.store(picture(30), for: key) }
        _ = cache.picture(for: 1)
        #expect(cache.store(picture(60), for: 4) == [2, 3])
        #expect(cache.contains(1))
        #expect(cache.totalCost == 90)
    }

    @Test func `a look whether an item is there does not count as use`() {
        var cache = EncodedFrameCache<Int>(budget: 100)
        for key in 1...3 { cache.store(picture(30), for: key) }
        #expect(cache.contains(1))
        #expect(cache.store(picture(30), for: 4) == [1])
    }

    @Test func `the same key is replaced`() {
        var cache = EncodedFrameCache<Int>(budget: 100)
        cache.store(picture(90), for: 1)
        #expect(cache.store(picture(95), for: 1).isEmpty)
        #expect(cache.totalCost == 95)
        #expect(cache.count == 1)
    }

    @Test func `what is larger than the budget is not kept and drives nothing out`() {
        var cache = EncodedFrameCache<Int>(budget: 100)
        cache.store(picture(50), for: 1)
        #expect(cache.store(picture(101), for: 2).isEmpty)
        #expect(cache.contains(1))
        #expect(!cache.contains(2))
    }

    @Test func `all frames of a picture go together`() {
        var cache = EncodedFrameCache<Int>(budget: 1000)
        for key in 1...9 { cache.store(picture(10), for: key) }
        cache.removeAll { $0 % 3 == 0 }
        #expect(cache.count == 6)
        #expect(cache.totalCost == 60)
        #expect(cache.store(picture(960), for: 10) == [1, 2])
    }

    /// Against a list in the order of last use.
    @Test func `it behaves like a list in the order of use`() {
        var (cache, model) = (EncodedFrameCache<Int>(budget: 200), [(key: Int, cost: Int)]())
        var numbers = SeededRandom(seed: 41)
        for _ in 0..<3000 {
            let (key, cost) = (Int(numbers.next() >> 20 % 12), Int(numbers.next() >> 20 % 90) + 1)
            let known = model.firstIndex { $0.key == key }
            switch numbers.next() >> 20 % 4 {
            case 0:
                #expect((cache.picture(for: key) != nil) == (known != nil))
                if let known { model.append(model.remove(at: known)) }
            case 1:
                cache.remove(key)
                if let known { model.remove(at: known) }
            default:
                if let known { model.remove(at: known) }
                model.append((key, cost))
                var expected: [Int] = []
                while model.reduce(0, { $0 + $1.cost }) > 200 { expected.append(model.removeFirst().key) }
                #expect(cache.store(picture(cost), for: key) == expected)
            }
            #expect(cache.totalCost == model.reduce(0) { $0 + $1.cost })
            #expect(cache.count == model.count)
        }
    }

    @Test func `keys differ in whatever changes the bytes`() {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()))
        let size = PixelSize(width: 10, height: 10)
        let keys = [
            EncodedFrameKey(image: "a", size: size, encoder: encoder),
            EncodedFrameKey(image: "b", size: size, encoder: encoder),
            EncodedFrameKey(image: "a", processors: "blur", size: size, encoder: encoder),
            EncodedFrameKey(image: "a", frame: 1, size: size, encoder: encoder),
            EncodedFrameKey(image: "a", size: PixelSize(width: 10, height: 11), encoder: encoder),
            EncodedFrameKey(image: "a", size: size, encoder: encoder, quality: .fast),
            EncodedFrameKey(
                image: "a", size: size, encoder: PictureEncoder(protocol: .sixel(SixelLimits(registers: 16)))),
            EncodedFrameKey(image: "a", size: size, encoder: PictureEncoder(protocol: .kitty)),
            EncodedFrameKey(
                image: "a", size: size, encoder: PictureEncoder(protocol: .sixel(SixelLimits()), background: .white)),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(keys[0] == EncodedFrameKey(image: "a", size: size, encoder: encoder))
    }

    private func picture(_ cost: Int) -> EncodedPicture {
        EncodedPicture(
            size: .zero, grid: GridSize(columns: 0, rows: 0), cell: .fallback,
            content: .sixel([SixelTile(column: 0, row: 0, stream: [UInt8](repeating: 0, count: cost))]))
    }
}
