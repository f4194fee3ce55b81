/// UTF-16 converted to UTF-8.
///
/// Invalid units become U+FFFD.
struct UTF16Stream: ByteSource {
    enum ByteOrder {
        case little, big

        /// Reads the byte order mark; nil if there is none.
        init?(mark: [UInt8]) {
            switch mark.prefix(2) {
            case [0xFF, 0xFE]: self = .little
            case [0xFE, 0xFF]: self = .big
            default: return nil
            }
        }
    }

    private var base: any ByteSource
    private let order: ByteOrder
    /// The bytes of an incomplete unit or surrogate pair.
    private var pending: [UInt8] = []

    init(_ base: any ByteSource, order: ByteOrder) {
        self.base = base
        self.order = order
    }

    var name: String { base.name }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        var text: [UInt8] = []
        while text.isEmpty {
            let bytes = try await base.read(line: line)
            let isLast = bytes.isEmpty
            if isLast, pending.isEmpty { return [] }
            text = convert(pending + bytes, isLast: isLast)
        }
        return text
    }

    private mutating func convert(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        var used = units.count * 2
        if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            used -= 2
        }
        pending = isLast ? [] : Array(bytes[used...])
        let suffix = isLast && used < bytes.count ? "\u{FFFD}" : ""
        return Array((String(decoding: units, as: UTF16.self) + suffix).utf8)
    }

    private func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
        switch order {
        case .little: UInt16(second) << 8 | UInt16(first)
        case .big: UInt16(first) << 8 | UInt16(second)
        }
    }
}
