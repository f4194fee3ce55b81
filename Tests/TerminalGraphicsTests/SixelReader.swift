import Raster

/// A sixel decoder written for these tests from the format alone, which refuses whatever a careful encoder avoids.
struct SixelReader {
    enum Refusal: Error, Equatable {
        case envelope, rasterAttributes, undefinedRegister(Int), colorSystem, outside(x: Int, y: Int), unset
        case unexpected(UInt8), trailingLineFeed
    }

    private(set) var size: PixelSize
    private(set) var pixels: [Color?]
    private var registers: [Int: Color] = [:]
    private var rest: ArraySlice<UInt8>
    private var color: Color?
    private var (x, top) = (0, 0)

    /// The picture that a complete control string draws on a blank screen.
    static func decode(_ stream: [UInt8]) throws(Refusal) -> PixelBuffer {
        var reader = try SixelReader(stream)
        try reader.run()
        guard !reader.pixels.contains(nil) else { throw .unset }
        let colors = reader.pixels.compactMap { $0 }
        let size = reader.size
        return PixelBuffer(size: size) { bytes in
            for (place, color) in colors.enumerated() {
                (bytes[place * 4], bytes[place * 4 + 1]) = (color.red, color.green)
                (bytes[place * 4 + 2], bytes[place * 4 + 3]) = (color.blue, 255)
            }
        }
    }

    private init(_ stream: [UInt8]) throws(Refusal) {
        let introducer = Array("\u{1B}P0;1;0q".utf8)
        guard stream.starts(with: introducer), stream.suffix(2) == [0x1B, 0x5C] else { throw .envelope }
        rest = stream[introducer.count..<(stream.count - 2)]
        size = .zero
        pixels = []
        guard rest.popFirst() == UInt8(ascii: "\"") else { throw .rasterAttributes }
        let attributes = numbers()
        guard attributes.count == 4, attributes[0] == 1, attributes[1] == 1 else { throw .rasterAttributes }
        size = PixelSize(width: attributes[2], height: attributes[3])
        pixels = Array(repeating: nil, count: size.area)
        guard rest.last != UInt8(ascii: "-") else { throw .trailingLineFeed }
    }

    private mutating func run() throws(Refusal) {
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "#"): try selectColor()
            case UInt8(ascii: "!"): try draw(times: numbers().first ?? 1, rest.popFirst() ?? 0)
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, top) = (0, top + 6)
            default: try draw(times: 1, byte)
            }
        }
    }

    private mutating func selectColor() throws(Refusal) {
        let values = numbers()
        if values.count == 5 {
            guard values[1] == 2, values[2...].allSatisfy({ $0 <= 100 }) else { throw .colorSystem }
            let channels = values[2...].map { UInt8((Double($0) * 2.55 + 0.001).rounded()) }
            registers[values[0]] = Color(red: channels[0], green: channels[1], blue: channels[2])
        }
        guard let register = values.first, let chosen = registers[register] else {
            throw .undefinedRegister(values.first ?? -1)
        }
        color = chosen
    }

    private mutating func draw(times: Int, _ sixel: UInt8) throws(Refusal) {
        guard (0x3F...0x7E).contains(sixel) else { throw .unexpected(sixel) }
        for _ in 0..<times {
            for row in 0..<6 where (sixel - 0x3F) >> UInt8(row) & 1 == 1 {
                guard x < size.width, top + row < size.height else { throw .outside(x: x, y: top + row) }
                guard let color else { throw .undefinedRegister(-1) }
                pixels[(top + row) * size.width + x] = color
            }
            x += 1
        }
    }

    private mutating func numbers() -> [Int] {
        let text = rest.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
        rest = rest[text.endIndex...]
        return text.split(separator: UInt8(ascii: ";")).map { digits in
            digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        }
    }
}
