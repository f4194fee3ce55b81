/// A header field of HTTP/2.
package struct HTTP2Field: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Reads the header blocks of one connection (RFC 7541).
struct HPACKDecoder {
    /// A block that breaks the rules.
    struct Malformed: Error {}

    private var table: [HTTP2Field] = []
    private var limit = 4096

    /// Returns the fields of a block.
    mutating func fields(_ block: [UInt8]) throws(Malformed) -> [HTTP2Field] {
        var reader = HPACKReader(rest: block[...])
        var fields: [HTTP2Field] = []
        while let first = reader.rest.first {
            switch first {
            case 0x80...: fields.append(try field(at: reader.integer(bits: 7)))
            case 0x40...:
                let field = try literal(&reader, bits: 6)
                table.insert(field, at: 0)
                evict()
                fields.append(field)
            case 0x20...:
                limit = min(4096, try reader.integer(bits: 5))
                evict()
            default: fields.append(try literal(&reader, bits: 4))
            }
        }
        return fields
    }

    private func field(at index: Int) throws(Malformed) -> HTTP2Field {
        let count = HPACKTables.fields.count
        if (1...count).contains(index) {
            let (name, value) = HPACKTables.fields[index - 1]
            return HTTP2Field(name, value)
        }
        guard table.indices.contains(index - count - 1) else { throw Malformed() }
        return table[index - count - 1]
    }

    private func literal(_ reader: inout HPACKReader, bits: Int) throws(Malformed) -> HTTP2Field {
        let index = try reader.integer(bits: bits)
        let name = index == 0 ? try reader.text() : try field(at: index).name
        return HTTP2Field(name, try reader.text())
    }

    private mutating func evict() {
        var size = 0
        let kept = table.prefix { field in
            size += field.name.utf8.count + field.value.utf8.count + 32
            return size <= limit
        }
        table = Array(kept)
    }
}

/// Reads the parts of a header block.
private struct HPACKReader {
    var rest: ArraySlice<UInt8>

    /// Reads an integer whose first bits share a byte with others.
    mutating func integer(bits: Int) throws(HPACKDecoder.Malformed) -> Int {
        let mask = (1 << bits) - 1
        guard let first = rest.popFirst() else { throw .init() }
        var value = Int(first) & mask
        guard value == mask else { return value }
        for shift in stride(from: 0, through: 28, by: 7) {
            guard let byte = rest.popFirst() else { throw .init() }
            value += Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .init()
    }

    mutating func text() throws(HPACKDecoder.Malformed) -> String {
        let isHuffman = (rest.first ?? 0) >= 0x80
        let count = try integer(bits: 7)
        guard rest.count >= count else { throw .init() }
        let bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
        return String(decoding: isHuffman ? try Self.decoded(bytes) : Array(bytes), as: UTF8.self)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(HPACKDecoder.Malformed) -> [UInt8] {
        var text: [UInt8] = []
        var (code, length) = (0, 0)
        for byte in bytes {
            for shift in stride(from: 7, through: 0, by: -1) {
                code = code << 1 | Int(byte >> shift) & 1
                length += 1
                guard length < HPACKTables.huffmanRows.count else { throw .init() }
                let row = HPACKTables.huffmanRows[length]
                guard row.bytes.indices.contains(code - row.first) else { continue }
                guard let byte = UInt8(exactly: row.bytes[code - row.first]) else { throw .init() }
                text.append(byte)
                (code, length) = (0, 0)
            }
        }
        return text
    }
}

/// Writes header blocks that leave the peer's table alone.
enum HPACKEncoder {
    /// Returns a block with the fields, without Huffman codes.
    static func block(_ fields: [HTTP2Field]) -> [UInt8] {
        fields.flatMap { field in
            if let index = HPACKTables.fields.firstIndex(where: { $0 == (field.name, field.value) }) {
                return integer(index + 1, bits: 7, flags: 0x80)
            }
            if let index = HPACKTables.fields.firstIndex(where: { $0.name == field.name }) {
                return integer(index + 1, bits: 4, flags: 0) + text(field.value)
            }
            return [0] + text(field.name) + text(field.value)
        }
    }

    private static func text(_ text: String) -> [UInt8] {
        integer(text.utf8.count, bits: 7, flags: 0) + Array(text.utf8)
    }

    private static func integer(_ value: Int, bits: Int, flags: UInt8) -> [UInt8] {
        let mask = (1 << bits) - 1
        guard value >= mask else { return [flags | UInt8(value)] }
        var bytes = [flags | UInt8(mask)]
        var rest = value - mask
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
