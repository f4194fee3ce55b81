import Raster

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
