/// Exif data as a camera writes it, in either order of bytes, for tests.
struct ExifSample {
    enum Value {
        case text(String)
        case short(Int)
        /// Pairs of what is divided and by what.
        case fractions([(Int, Int)])
        case bytes([UInt8], kind: Int = 7)
        case directory([(tag: Int, value: Value)])
    }

    var isLittle = true
    var fields: [(tag: Int, value: Value)]

    /// Begins with TIFF's mark.
    var tiff: [UInt8] {
        var bytes = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        write(fields, to: &bytes)
        return bytes
    }

    /// Writes a directory at the end, then what does not fit into its fields.
    private func write(_ fields: [(tag: Int, value: Value)], to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes += number(fields.count, 2) + [UInt8](repeating: 0, count: fields.count * 12) + number(0, 4)
        for (place, field) in fields.enumerated() {
            let offset = start + 2 + place * 12
            let head: [UInt8]
            switch field.value {
            case .short(let value): head = number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
            case .text(let text):
                let content = Array(text.utf8) + [0]
                let isShort = content.count <= 4
                let kept = isShort ? content + [UInt8](repeating: 0, count: 4 - content.count) : number(bytes.count, 4)
                head = number(2, 2) + number(content.count, 4) + kept
                if !isShort { bytes += content }
            case .bytes(let content, let kind):
                head = number(kind, 2) + number(content.count, 4) + number(bytes.count, 4)
                bytes += content
            case .fractions(let values):
                head = number(5, 2) + number(values.count, 4) + number(bytes.count, 4)
                for value in values { bytes += number(value.0, 4) + number(value.1, 4) }
            case .directory(let inner):
                head = number(4, 2) + number(1, 4) + number(bytes.count, 4)
                write(inner, to: &bytes)
            }
            bytes.replaceSubrange(offset..<offset + 12, with: number(field.tag, 2) + head)
        }
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittle ? little : little.reversed()
    }

    static func camera(isLittle: Bool = true) -> ExifSample {
        ExifSample(
            isLittle: isLittle,
            fields: [
                (0x010E, .text("  Reeds \n at dawn ")), (0x010F, .text("Kestrel Optics")), (0x0110, .text("K7")),
                (0x013B, .text("A. Fisher")),
                (
                    0x8769,
                    .directory([
                        (0x829A, .fractions([(1, 250)])), (0x829D, .fractions([(28, 10)])), (0x8827, .short(200)),
                        (0x9003, .text("2026:07:14 18:30:05")), (0x920A, .fractions([(35, 1)])),
                    ])
                ),
                (
                    0x8825,
                    .directory([
                        (1, .text("S")), (2, .fractions([(33, 1), (51, 1), (36, 1)])),
                        (3, .text("E")), (4, .fractions([(151, 1), (12, 1), (0, 1)])),
                    ])
                ),
            ])
    }
}
