import Foundation

/// A TIFF file written byte by byte (TIFF 6.0, section 2): pages of one strip, each with its own fields.
package struct TIFFWriter {
    /// A field: its tag, the number of its type, the number of its values and their bytes, lowest first.
    package struct Field {
        let tag, type, count: Int
        let value: [UInt8]

        package static func short(_ tag: Int, _ values: Int...) -> Field {
            Field(tag: tag, type: 3, count: values.count, value: values.flatMap { TIFFWriter.little($0, 2) })
        }

        package static func long(_ tag: Int, _ values: Int...) -> Field { longs(tag, values) }

        package static func longs(_ tag: Int, _ values: [Int]) -> Field {
            Field(tag: tag, type: 4, count: values.count, value: values.flatMap { TIFFWriter.little($0, 4) })
        }

        package static func float(_ tag: Int, _ value: Float) -> Field {
            Field(tag: tag, type: 11, count: 1, value: TIFFWriter.little(Int(value.bitPattern), 4))
        }

        /// Signed fractions of ten thousand.
        package static func fractions(_ tag: Int, _ values: Double...) -> Field {
            let value = values.flatMap {
                TIFFWriter.little(Int(UInt32(bitPattern: Int32($0 * 10_000))), 4) + TIFFWriter.little(10_000, 4)
            }
            return Field(tag: tag, type: 10, count: values.count, value: value)
        }

        package static func bytes(_ tag: Int, _ values: UInt8...) -> Field {
            Field(tag: tag, type: 1, count: values.count, value: values)
        }
    }

    private var file = Array("II*\0".utf8) + [0, 0, 0, 0]
    /// Where the offset of the next page is to be written.
    private var link = 4

    package init() {}

    package var data: Data { Data(file) }

    /// Adds a page, with the directories that belong to it (tag 330).
    package mutating func add(_ page: Page, subdirectories: [Page] = []) {
        let places = subdirectories.map { write($0) }
        let extra =
            places.isEmpty
            ? [] : [Field(tag: 330, type: 4, count: places.count, value: places.flatMap { Self.little($0, 4) })]
        let place = write(page, extra)
        file.replaceSubrange(link..<link + 4, with: Self.little(place, 4))
        link = file.count - 4
    }

    /// A page of grey or coloured samples, in one strip.
    package struct Page {
        let width, height, bits, channels, format: Int
        let photometric: Int?
        let samples: [UInt8]
        let fields: [Field]

        /// - Parameter format: 1 unsigned, 2 signed, 3 floating point.
        package init(
            width: Int, height: Int, bits: Int, channels: Int = 1, format: Int = 1, photometric: Int? = nil,
            samples: [UInt8], fields: [Field] = []
        ) {
            (self.width, self.height, self.bits, self.channels) = (width, height, bits, channels)
            (self.format, self.photometric, self.samples, self.fields) = (format, photometric, samples, fields)
        }
    }

    /// Appends bytes that belong to no page.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        file += bytes
    }

    private mutating func write(_ page: Page, _ more: [Field] = []) -> Int {
        let strip = file.count
        file += page.samples
        let bits = (0..<page.channels).map { _ in page.bits }
        var fields: [Field] = [
            .long(256, page.width), .long(257, page.height),
            Field(tag: 258, type: 3, count: bits.count, value: bits.flatMap { Self.little($0, 2) }), .short(259, 1),
            .short(262, page.photometric ?? (page.channels < 3 ? 1 : 2)), .long(273, strip), .short(277, page.channels),
            .long(278, page.height), .long(279, page.samples.count), .short(339, page.format),
        ]
        let stated = Set(page.fields.map(\.tag))
        fields = fields.filter { !stated.contains($0.tag) } + page.fields + more
        fields.sort { $0.tag < $1.tag }
        var places: [Int: Int] = [:]
        for (index, field) in fields.enumerated() where field.value.count > 4 {
            places[index] = file.count
            file += field.value
        }
        let start = file.count
        file += Self.little(fields.count, 2)
        for (index, field) in fields.enumerated() {
            file += Self.little(field.tag, 2) + Self.little(field.type, 2) + Self.little(field.count, 4)
            let value = places[index].map { Self.little($0, 4) } ?? field.value
            file += value + [UInt8](repeating: 0, count: 4 - value.count)
        }
        file += [0, 0, 0, 0]
        return start
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
