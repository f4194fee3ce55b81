import AlcedoCZlib
import Raster

/// A reader of the PNG files that need no more than eight bits a channel, with every check the format offers.
struct PNGReader {
    typealias Refusal = Unpacking.Refusal

    private var size = PixelSize.zero
    private var colorType: UInt8 = 0
    private var palette: [UInt8] = []
    private var data: [UInt8] = []

    static func decode(_ file: [UInt8]) throws(Refusal) -> PixelBuffer {
        var reader = PNGReader()
        try reader.readChunks(file)
        return try reader.picture()
    }

    private var channels: Int { [2: 3, 3: 1, 6: 4][colorType] ?? 0 }

    private mutating func readChunks(_ file: [UInt8]) throws(Refusal) {
        guard file.prefix(8) == [137, 80, 78, 71, 13, 10, 26, 10] else { throw Refusal(reason: "signature") }
        var rest = file[8...]
        var types: [String] = []
        while rest.count >= 12 {
            let count = Int(Self.number(rest.prefix(4)))
            let body = rest.dropFirst(4).prefix(count + 4)
            let sum = UInt32(truncatingIfNeeded: crc32(0, Array(body), UInt32(body.count)))
            guard body.count == count + 4, sum == Self.number(rest.dropFirst(count + 8).prefix(4)) else {
                throw Refusal(reason: "check sum")
            }
            types.append(String(decoding: body.prefix(4), as: UTF8.self))
            try read(types.last ?? "", body.dropFirst(4))
            rest = rest.dropFirst(count + 12)
        }
        guard rest.isEmpty, types.first == "IHDR", types.last == "IEND" else { throw Refusal(reason: "order") }
    }

    private mutating func read(_ type: String, _ content: ArraySlice<UInt8>) throws(Refusal) {
        switch type {
        case "IHDR":
            size = PixelSize(
                width: Int(Self.number(content.prefix(4))), height: Int(Self.number(content.dropFirst(4).prefix(4))))
            let form = Array(content.dropFirst(8))
            colorType = form[1]
            guard form == [8, colorType, 0, 0, 0], channels > 0 else { throw Refusal(reason: "header") }
        case "PLTE": palette = Array(content)
        case "IDAT": data += content
        case "IEND": break
        default: throw Refusal(reason: type)
        }
    }

    private func picture() throws(Refusal) -> PixelBuffer {
        let stride = size.width * channels
        let lines = try Unpacking.inflate(data, count: (stride + 1) * size.height)
        var rows: [[UInt8]] = [[UInt8](repeating: 0, count: stride)]
        for start in Swift.stride(from: 0, to: lines.count, by: stride + 1) {
            let line = Array(lines[start + 1..<start + 1 + stride])
            rows.append(try unfiltered(line, by: lines[start], above: rows[rows.count - 1]))
        }
        let bytes = rows.dropFirst().joined()
        var result: [UInt8] = []
        switch colorType {
        case 3: for index in bytes { result += palette[Int(index) * 3..<Int(index) * 3 + 3] + [255] }
        case 2: for (place, byte) in bytes.enumerated() { result += place % 3 == 2 ? [byte, 255] : [byte] }
        default: result = Array(bytes)
        }
        guard let picture = PixelBuffer(size: size, bytes: result) else { throw Refusal(reason: "pixels") }
        return picture
    }

    private func unfiltered(_ line: [UInt8], by filter: UInt8, above: [UInt8]) throws(Refusal) -> [UInt8] {
        guard filter <= 4 else { throw Refusal(reason: "filter \(filter)") }
        var row = line
        for place in row.indices {
            let left = place < channels ? 0 : Int(row[place - channels])
            let corner = place < channels ? 0 : Int(above[place - channels])
            let up = Int(above[place])
            let guess = left + up - corner
            let nearest = [left, up, corner].min { abs(guess - $0) < abs(guess - $1) } ?? 0
            row[place] &+= UInt8([0, left, up, (left + up) / 2, nearest][Int(filter)])
        }
        return row
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
