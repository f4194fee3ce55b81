import Raster

/// The quality of a picture's colours.
public enum Quality: String, Hashable, Sendable, CaseIterable {
    /// Error diffusion, for still pictures.
    case best
    /// Ordered dithering, which is stable between frames, for previews, transitions and animations.
    case fast
}

/// Reduces pictures to the number of colours that the terminal has registers for.
package struct Quantizer: Sendable {
    /// The most colours of a result, 2…256.
    package let registers: Int
    /// The colour that shows through transparent pixels.
    package let background: Color

    /// Creates a quantizer; `registers` is clamped to 2…256, and the background's alpha is ignored.
    package init(registers: Int = 256, background: Color = .black) {
        self.registers = min(max(registers, 2), 256)
        self.background = background
    }

    /// Returns a common palette for pictures, to be passed to `quantize` for each of them.
    ///
    /// Complexity: O(pixels) up to a quarter of a million, constant above.
    @concurrent
    package func palette(for pictures: [PixelBuffer]) async -> Palette {
        adaptivePalette(for: pictures.map { $0.flattened(over: background) })
    }

    /// Reduces a picture over the background to at most `registers` colours.
    ///
    /// Without a palette, a picture with few enough colours on the register grid is reproduced exactly, and any other
    /// gets its own palette. A given palette is used even if it has more than `registers` colours.
    @concurrent
    package func quantize(
        _ picture: PixelBuffer, quality: Quality = .best, palette: Palette? = nil
    ) async -> IndexedPicture {
        let opaque = picture.flattened(over: background)
        if palette == nil, let exact = ExactColors.index(opaque, limit: registers) { return exact }
        return await dither(opaque, quality, palette ?? adaptivePalette(for: [opaque]))
    }

    /// Returns whether a picture has few enough colours to be reproduced exactly without a palette.
    ///
    /// Complexity: O(pixels), and much less for most pictures with more colours.
    func isExact(for picture: PixelBuffer) -> Bool {
        ExactColors.index(picture.flattened(over: background), limit: registers) != nil
    }

    private func adaptivePalette(for pictures: [PixelBuffer]) -> Palette {
        var histogram = ColorHistogram()
        for picture in pictures {
            histogram.add(picture, limit: max(4096, ColorHistogram.sampleLimit / pictures.count))
        }
        var cut = VarianceCut(histogram)
        return Palette(colors: cut.colors(registers))
    }

    private func dither(_ picture: PixelBuffer, _ quality: Quality, _ palette: Palette) async -> IndexedPicture {
        let stripes = Stripes(of: picture.size.height)
        let parts =
            switch quality {
            case .best: await stripes.map { ErrorDiffusion(palette: palette).indices(of: picture, rows: $0) }
            case .fast: await stripes.map { OrderedDithering(palette: palette).indices(of: picture, rows: $0) }
            }
        return IndexedPicture(size: picture.size, trusted: palette.colors, indices: joined(parts))
    }

    /// Concatenates the parts; `joined()` would copy byte by byte.
    private func joined(_ parts: [[UInt8]]) -> [UInt8] {
        guard var all = parts.first, parts.count > 1 else { return parts.first ?? [] }
        all.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts.dropFirst() { all += part }
        return all
    }
}

/// Chooses a palette by repeatedly cutting the colour cube where the squared error decreases most.
///
/// After Xiaolin Wu, "Efficient Statistical Computations for Optimal Color Quantization", Graphics Gems II (1991).
/// Unlike there, the box whose best cut gains most is cut next, so sums of squares are not needed.
struct VarianceCut {
    private let moments: ColorMoments
    private var boxes: [Candidate] = []

    private struct Candidate {
        var box: ColorBox
        var cut: ColorCut?
    }

    init(_ histogram: ColorHistogram) {
        moments = ColorMoments(histogram)
    }

    /// Returns at most `count` colours, each the mean of its box; the cuts with the greatest gains come first.
    mutating func colors(_ count: Int) -> [Color] {
        boxes = [candidate(.whole)]
        while boxes.count < count, let next = boxWithGreatestGain(), let cut = boxes[next].cut {
            let (lower, upper) = boxes[next].box.divided(by: cut)
            boxes[next] = candidate(lower)
            boxes.append(candidate(upper))
        }
        return boxes.compactMap { moments.mean(of: $0.box) }
    }

    private func candidate(_ box: ColorBox) -> Candidate {
        Candidate(box: box, cut: moments.bestCut(of: box))
    }

    private func boxWithGreatestGain() -> Int? {
        boxes.indices.filter { boxes[$0].cut != nil }
            .max { (boxes[$0].cut?.gain ?? 0) < (boxes[$1].cut?.gain ?? 0) }
    }
}

/// A cut of a box at `position` along `axis`.
struct ColorCut {
    let axis: Int
    let position: Int
    /// The decrease of the sum of squared errors.
    let gain: Double
}

/// A box of histogram bins with half-open bounds.
struct ColorBox {
    var lower: SIMD4<Int>
    var upper: SIMD4<Int>

    static let whole = ColorBox(lower: .zero, upper: SIMD4(repeating: ColorHistogram.side))

    func divided(by cut: ColorCut) -> (ColorBox, ColorBox) {
        var (below, above) = (self, self)
        below.upper[cut.axis] = cut.position
        above.lower[cut.axis] = cut.position
        return (below, above)
    }
}

/// The pixels of pictures sorted into 32×32×32 bins, each with a count and the sums of its channels.
struct ColorHistogram: Sendable {
    static let bits = 5
    static let side = 1 << bits
    /// The most pixels that are used for one palette; larger pictures are sampled evenly.
    static let sampleLimit = 1 << 18

    /// The sums of red, green and blue and the count of each bin.
    private(set) var bins = [SIMD4<UInt32>](repeating: .zero, count: side * side * side)

    /// Adds about `limit` pixels of an opaque picture, or all if it has no more.
    mutating func add(_ picture: PixelBuffer, limit: Int = sampleLimit) {
        let area = picture.size.area
        let stride = max(1, area / max(1, limit))
        bins.withUnsafeMutableBufferPointer { bins in
            picture.bytes.withUnsafeBufferPointer { bytes in
                for start in Swift.stride(from: 0, to: area, by: stride) {
                    let pixel = Self.sample(start, stride: stride, area: area) * 4
                    let (red, green, blue) = (bytes[pixel], bytes[pixel + 1], bytes[pixel + 2])
                    bins[Self.bin(red, green, blue)] &+= SIMD4(UInt32(red), UInt32(green), UInt32(blue), 1)
                }
            }
        }
    }

    /// Returns a pixel of the group that begins at `start`; its place differs between groups to avoid column bias.
    @inline(__always)
    private static func sample(_ start: Int, stride: Int, area: Int) -> Int {
        guard stride > 1 else { return start }
        let jitter = (UInt32(truncatingIfNeeded: start) &* 2_654_435_769) >> 16
        return min(start + Int(jitter) % stride, area - 1)
    }

    @inline(__always)
    private static func bin(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }
}

/// Cumulative sums of a histogram, with which the sum over any box takes eight lookups.
struct ColorMoments {
    private static let side = ColorHistogram.side + 1
    /// The sums of red, green and blue and the count of the bins below each corner.
    private let sums: [SIMD4<Double>]

    init(_ histogram: ColorHistogram) {
        let side = Self.side
        var sums = [SIMD4<Double>](repeating: .zero, count: side * side * side)
        for red in 1..<side {
            for green in 1..<side {
                var row = SIMD4<Double>.zero
                for blue in 1..<side {
                    row += SIMD4(histogram.bins[((red - 1) << 5 | (green - 1)) << 5 | (blue - 1)])
                    let here = (red * side + green) * side + blue
                    let (less, lessRed) = (here - side, here - side * side)
                    sums[here] = row + sums[less] + sums[lessRed] - sums[lessRed - side]
                }
            }
        }
        self.sums = sums
    }

    /// Returns the mean colour of a box; nil if it is empty.
    func mean(of box: ColorBox) -> Color? {
        let sum = sum(box)
        guard sum.w > 0 else { return nil }
        let mean = (sum / sum.w).rounded(.toNearestOrAwayFromZero)
        return Color(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }

    /// Returns the cut that decreases the squared error most; nil if none does.
    func bestCut(of box: ColorBox) -> ColorCut? {
        let whole = sum(box)
        guard whole.w > 1 else { return nil }
        var best: ColorCut?
        for axis in 0..<3 {
            for position in box.lower[axis] + 1..<max(box.upper[axis], box.lower[axis] + 1) {
                let gain = gain(of: box, axis: axis, position: position, whole: whole)
                if gain > best?.gain ?? 1e-6 { best = ColorCut(axis: axis, position: position, gain: gain) }
            }
        }
        return best
    }

    /// Returns |s₁|²/n₁ + |s₂|²/n₂ − |s|²/n: the decrease of the squared error if the box's sum s of n is split in two.
    private func gain(of box: ColorBox, axis: Int, position: Int, whole: SIMD4<Double>) -> Double {
        var part = box
        part.upper[axis] = position
        let below = sum(part)
        let above = whole - below
        guard below.w > 0, above.w > 0 else { return 0 }
        return spread(below) + spread(above) - spread(whole)
    }

    private func spread(_ sum: SIMD4<Double>) -> Double {
        (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z) / sum.w
    }

    private func sum(_ box: ColorBox) -> SIMD4<Double> {
        let (low, high) = (box.lower, box.upper)
        let upper = face(high.x, high.y, high.z) - face(high.x, high.y, low.z)
        let middle = face(high.x, low.y, high.z) - face(high.x, low.y, low.z)
        let lower = face(low.x, high.y, high.z) - face(low.x, high.y, low.z)
        let corner = face(low.x, low.y, high.z) - face(low.x, low.y, low.z)
        return upper - middle - lower + corner
    }

    private func face(_ red: Int, _ green: Int, _ blue: Int) -> SIMD4<Double> {
        sums[(red * Self.side + green) * Self.side + blue]
    }
}

/// Indexes a picture that has no more colours, on the register grid, than there are registers.
struct ExactColors {
    private static let capacity = 1024
    private static let free = UInt32.max

    private(set) var colors: [Color] = []
    private let limit: Int
    /// An open-addressed hash table of packed colours, and their indices.
    private var keys = [UInt32](repeating: free, count: capacity)
    private var values = [UInt8](repeating: 0, count: capacity)

    private init(limit: Int) {
        self.limit = limit
    }

    /// Returns the indexed picture; nil if an opaque picture has more than `limit` (1…256) colours.
    static func index(_ picture: PixelBuffer, limit: Int) -> IndexedPicture? {
        guard !picture.size.isEmpty else { return nil }
        var table = ExactColors(limit: limit)
        guard table.collect(picture) else { return nil }
        let indices = table.indices(of: picture)
        return IndexedPicture(size: picture.size, trusted: table.colors, indices: indices)
    }

    /// Collects the colours of a picture; returns whether all fit.
    private mutating func collect(_ picture: PixelBuffer) -> Bool {
        picture.bytes.withUnsafeBytes { bytes in
            var last: UInt32?
            for pixel in 0..<picture.size.area {
                let packed = bytes.loadUnaligned(fromByteOffset: pixel * 4, as: UInt32.self) & 0xFF_FFFF
                if packed == last { continue }
                last = packed
                if !insert(Self.rounded(packed)) { return false }
            }
            return true
        }
    }

    private func indices(of picture: PixelBuffer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: picture.size.area) { indices, count in
            picture.bytes.withUnsafeBytes { bytes in
                var (last, index) = (Self.free, UInt8(0))
                for pixel in 0..<picture.size.area {
                    let packed = bytes.loadUnaligned(fromByteOffset: pixel * 4, as: UInt32.self) & 0xFF_FFFF
                    if packed != last { (last, index) = (packed, values[slot(of: Self.rounded(packed))]) }
                    indices.initializeElement(at: pixel, to: index)
                }
            }
            count = picture.size.area
        }
    }

    private mutating func insert(_ color: UInt32) -> Bool {
        let slot = slot(of: color)
        guard keys[slot] == Self.free else { return true }
        guard colors.count < limit else { return false }
        keys[slot] = color
        values[slot] = UInt8(truncatingIfNeeded: colors.count)
        colors.append(
            Color(
                red: UInt8(truncatingIfNeeded: color), green: UInt8(truncatingIfNeeded: color >> 8),
                blue: UInt8(truncatingIfNeeded: color >> 16)))
        return true
    }

    /// Returns the slot of a colour, or a free one.
    ///
    /// There are four times as many slots as colours, so one is always free.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 2_654_435_769) >> 22)
        while keys[slot] != color && keys[slot] != Self.free { slot = (slot + 1) % Self.capacity }
        return slot
    }

    private static func rounded(_ packed: UInt32) -> UInt32 {
        let grid = RegisterGrid.nearestIntensities
        let (red, green) = (grid[Int(packed & 255)], grid[Int(packed >> 8 & 255)])
        return UInt32(red) | UInt32(green) << 8 | UInt32(grid[Int(packed >> 16 & 255)]) << 16
    }
}
