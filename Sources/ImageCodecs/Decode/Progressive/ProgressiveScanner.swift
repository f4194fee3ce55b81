import Foundation

/// Finds the scans of a progressive JPEG in its bytes as they arrive, in pieces of any size.
///
/// Only files whose frame is progressive with Huffman codes (SOF2) have scans to show; every other file yields nothing,
/// and so does what follows the first byte that makes no sense. The last scan, which the end of the file closes, is not
/// reported: then the whole picture is there. A state of a few words is all that is kept. Complexity: O(bytes).
/// Source: ITU-T T.81, sections B.1.1.2 to B.1.1.5 and table B.1.
public struct ProgressiveScanner: Sendable {
    /// Scans beyond these are not reported; each costs a decode, and files with thousands can be made.
    public static let maximumScans = 32

    private enum State {
        /// Between segments: 0xFF, then a marker.
        case marker, code
        /// The two bytes of a segment's length.
        case lengthHigh(UInt8), lengthLow(UInt8, high: Int)
        case segment(UInt8, left: Int)
        /// Entropy-coded bytes, and the 0xFF within them.
        case scan, scanCode
        /// Nothing more will be reported.
        case done
    }

    private var state = State.marker
    private var isProgressive = false
    private var offset = 0
    private var scans = 0

    public init() {}

    /// Whether nothing more will be reported, whatever comes.
    public var isDone: Bool { if case .done = state { true } else { false } }

    /// Reads on; answers the scans that these bytes completed.
    public mutating func append(_ bytes: some ContiguousBytes) -> [ProgressiveScan] {
        bytes.withUnsafeBytes { read($0) }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) -> [ProgressiveScan] {
        var completed: [ProgressiveScan] = []
        var rest = bytes[...]
        while !rest.isEmpty, !isDone {
            let passed = pass(over: rest)
            offset += passed
            rest = rest.dropFirst(passed)
            guard let byte = rest.popFirst() else { break }
            if let scan = read(byte) { completed.append(scan) }
            offset += 1
        }
        return completed
    }

    /// How many of these bytes come before one that matters; most do.
    private mutating func pass(over bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        switch state {
        case .segment(let code, let left):
            // Its last byte ends it.
            let passed = min(left - 1, bytes.count)
            state = .segment(code, left: left - passed)
            return passed
        case .scan: return (bytes.firstIndex(of: 0xFF) ?? bytes.endIndex) - bytes.startIndex
        default: return 0
        }
    }

    /// Answers the scan that ends before this byte's marker.
    private mutating func read(_ byte: UInt8) -> ProgressiveScan? {
        switch state {
        case .marker: state = byte == 0xFF ? .code : .done
        case .code: state = byte == 0xFF ? .code : next(after: byte)
        case .lengthHigh(let code): state = .lengthLow(code, high: Int(byte) << 8)
        case .lengthLow(let code, let high): state = content(of: code, length: high + Int(byte))
        case .segment(let code, let left): state = left > 1 ? .segment(code, left: left - 1) : end(of: code)
        case .scan: if byte == 0xFF { state = .scanCode }
        case .scanCode: return readScanCode(byte)
        case .done: break
        }
        return nil
    }

    /// What follows a marker outside a scan.
    private mutating func next(after code: UInt8) -> State {
        switch code {
        case 0xD8: return offset == 1 ? .marker : .done
        case 0xD9, 0x00, 0x01, 0xD0...0xD7: return .done
        case 0xC2:
            isProgressive = true
            return .lengthHigh(code)
        // The other kinds of frames; 0xC4, 0xC8 and 0xCC among them are tables and a reserved code.
        case 0xC0, 0xC1, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return .done
        default: return offset > 1 ? .lengthHigh(code) : .done
        }
    }

    private func content(of code: UInt8, length: Int) -> State {
        switch length {
        case ..<2: .done
        case 2: end(of: code)
        default: .segment(code, left: length - 2)
        }
    }

    /// After a start of scan come its coded bytes.
    private func end(of code: UInt8) -> State {
        guard code == 0xDA else { return .marker }
        return isProgressive ? .scan : .done
    }

    /// A zero after 0xFF is stuffing, 0xFF is fill, and eight markers restart the coder; any other ends the scan.
    private mutating func readScanCode(_ byte: UInt8) -> ProgressiveScan? {
        switch byte {
        case 0xFF: return nil
        case 0x00, 0xD0...0xD7:
            state = .scan
            return nil
        default:
            state = next(after: byte)
            if case .done = state { return nil }
            scans += 1
            if scans == Self.maximumScans { state = .done }
            return ProgressiveScan(number: scans, end: offset - 1)
        }
    }
}
