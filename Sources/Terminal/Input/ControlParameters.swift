/// The part of a control sequence between `CSI` and its last byte, taken apart.
struct ControlParameters {
    /// `?`, `>`, `<` or `=` in front of the numbers.
    var prefix: UInt8?
    /// Missing numbers are 0; sub-parameters after a colon are dropped.
    var numbers: [Int] = []
    var intermediates: [UInt8] = []

    /// Numbers above this are taken for this.
    static let largest = 2_000_000

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            prefix = first
            rest = rest.dropFirst()
        }
        intermediates = rest.filter { (0x20...0x2F).contains($0) }
        let digits = rest.filter { (0x30...0x3F).contains($0) }
        if !digits.isEmpty {
            numbers = digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.number)
        }
    }

    /// The number at `index`, counted from 0, or `fallback` when it is missing or 0.
    func number(_ index: Int, or fallback: Int) -> Int {
        guard numbers.indices.contains(index), numbers[index] != 0 else { return fallback }
        return numbers[index]
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in digits.prefix(while: { $0 != UInt8(ascii: ":") }) {
            guard (0x30...0x39).contains(digit) else { return 0 }
            value = min(largest, value * 10 + Int(digit - 0x30))
        }
        return value
    }
}
