/// The LZW codes of one GIF frame, which encode its colour indices.
///
/// Source: GIF89a, appendix F; T. Welch, "A Technique for High-Performance Data Compression" (1984).
struct GIFCodes {
    /// The number of bits of an index (LZW minimum code size), which determines the initial code length.
    let bits: Int
    /// The data of the code blocks, without their length bytes.
    let bytes: [UInt8]

    /// Decodes the first `count` indices; nil if the codes are invalid or too few.
    func indices(_ count: Int) -> [UInt8]? {
        guard (1...8).contains(bits) else { return nil }
        var strings = Strings(bits: bits)
        var isWhole = false
        let indices = [UInt8](unsafeUninitializedCapacity: count) { output, written in
            isWhole = unpack(into: output, &strings)
            if !isWhole { output.initialize(repeating: 0) }
            written = count
        }
        return isWhole ? indices : nil
    }

    private func unpack(into output: UnsafeMutableBufferPointer<UInt8>, _ strings: inout Strings) -> Bool {
        let (clear, end) = (1 << bits, 1 << bits + 1)
        var (window, available, place, written) = (0, 0, 0, 0)
        var previous: Int?
        while written < output.count {
            while available < strings.codeLength {
                guard place < bytes.count else { return false }
                window |= Int(bytes[place]) << available
                (available, place) = (available + 8, place + 1)
            }
            let code = window & (1 << strings.codeLength - 1)
            window >>= strings.codeLength
            available -= strings.codeLength
            if code == clear {
                strings.clear()
                previous = nil
                continue
            }
            guard code != end, code < strings.count || (code == strings.count && previous != nil) else { return false }
            written += strings.write(code, after: previous, to: output, at: written)
            previous = code
        }
        return true
    }
}

/// The LZW string table: each string is an earlier string and one index.
private struct Strings {
    private let bits: Int
    private(set) var count: Int
    private(set) var codeLength: Int
    private var prefixes = [Int](repeating: 0, count: capacity)
    private var lasts = [UInt8](repeating: 0, count: capacity)
    private var firsts = [UInt8](repeating: 0, count: capacity)
    private var lengths = [Int](repeating: 1, count: capacity)

    private static let capacity = 4096

    init(bits: Int) {
        self.bits = bits
        (count, codeLength) = (1 << bits + 2, bits + 1)
        for index in 0..<1 << bits { (lasts[index], firsts[index]) = (UInt8(index), UInt8(index)) }
    }

    mutating func clear() { (count, codeLength) = (1 << bits + 2, bits + 1) }

    /// Writes the string of a code as far as it fits, and adds a string to the table.
    ///
    /// The added string is the previous code's string and the first index of the current one.
    ///
    /// - Returns: The number of indices written.
    mutating func write(
        _ code: Int, after previous: Int?, to output: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) -> Int {
        if let previous, count < Self.capacity { learn(previous, firsts[code == count ? previous : code]) }
        let length = lengths[code]
        var (place, next) = (start + length - 1, code)
        while place >= start {
            if place < output.count { output[place] = lasts[next] }
            (place, next) = (place - 1, prefixes[next])
        }
        return min(length, output.count - start)
    }

    private mutating func learn(_ prefix: Int, _ last: UInt8) {
        (prefixes[count], lasts[count], firsts[count]) = (prefix, last, firsts[prefix])
        lengths[count] = lengths[prefix] + 1
        count += 1
        if count == 1 << codeLength, codeLength < 12 { codeLength += 1 }
    }
}
