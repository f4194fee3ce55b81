/// The LZW codes of one GIF frame, which encode its colour indices.
///
/// Source: GIF89a, appendix F; T. Welch, "A Technique for High-Performance Data Compression" (1984).
struct GIFCodes {
    /// The number of bits of an index (LZW minimum code size), which determines the initial code length.
    let bits: Int
    /// The data of the code blocks, without their length bytes.
    let bytes: [UInt8]

    /// The indices up to the first fault.
    struct Indices {
        var values: [UInt8] = []
        /// The first fault; nil if all indices are there.
        var damage: PictureDamage?
    }

    /// Decodes the first `count` indices, or those before the first fault.
    func indices(_ count: Int) -> Indices {
        guard (1...8).contains(bits) else { return Indices(damage: .corrupt("its codes have \(bits) bits")) }
        var strings = Strings(bits: bits)
        var damage: PictureDamage?
        let values = [UInt8](unsafeUninitializedCapacity: count) { output, written in
            (written, damage) = unpack(into: output, &strings)
        }
        return Indices(values: values, damage: damage)
    }

    /// Writes indices and returns their number and the first fault.
    private func unpack(
        into output: UnsafeMutableBufferPointer<UInt8>, _ strings: inout Strings
    ) -> (Int, PictureDamage?) {
        let (clear, end) = (1 << bits, 1 << bits + 1)
        var (window, available, place, written) = (0, 0, 0, 0)
        var previous: Int?
        while written < output.count {
            while available < strings.codeLength {
                guard place < bytes.count else { return (written, tooFew(written, output.count)) }
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
            guard code != end else { return (written, tooFew(written, output.count)) }
            guard code < strings.count || (code == strings.count && previous != nil) else {
                return (written, .corrupt("pixel \(written + 1) has an invalid code"))
            }
            written += strings.write(code, after: previous, to: output, at: written)
            previous = code
        }
        return (written, nil)
    }

    private func tooFew(_ count: Int, _ expected: Int) -> PictureDamage {
        .corrupt("its codes end at pixel \(count) of \(expected)")
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
