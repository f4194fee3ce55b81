import FoundationEssentials
import Raster

/// An incremental parser that finds the scans of a progressive JPEG in pieces of any size.
///
/// Only files with a progressive Huffman-coded frame (SOF2) yield scans. Nothing is reported for other files or after
/// the first invalid byte. The last scan, which the end of the file closes, is not reported, because the whole picture
/// is available then. The parser keeps only a small state. Complexity: O(bytes).
///
/// Source: ITU-T T.81, sections B.1.1.2 to B.1.1.5 and table B.1.
package struct ProgressiveScanner: Sendable {
    /// The largest number of scans reported; each one costs a decode, and a crafted file can have thousands.
    package static let maximumScans = 32

    private enum State {
        /// Between segments: 0xFF, then a marker.
        case marker, code
        /// The two bytes of a segment's length.
        case lengthHigh(UInt8), lengthLow(UInt8, high: Int)
        case segment(UInt8, left: Int)
        /// Entropy-coded bytes, and the byte after a 0xFF within them.
        case scan, scanCode
        /// Nothing more will be reported.
        case done
    }

    private var state = State.marker
    private var isProgressive = false
    private var offset = 0
    private var scans = 0

    package init() {}

    /// Whether no more scans will be reported, regardless of further bytes.
    package var isDone: Bool { if case .done = state { true } else { false } }

    /// Parses the next bytes and returns the scans that they completed.
    package mutating func append(_ bytes: some ContiguousBytes) -> [ProgressiveScan] {
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

    /// Returns the number of leading bytes that need no inspection, usually most of them.
    private mutating func pass(over bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        switch state {
        case .segment(let code, let left):
            // The last byte of the segment ends it and is read separately.
            let passed = min(left - 1, bytes.count)
            state = .segment(code, left: left - passed)
            return passed
        case .scan: return (bytes.firstIndex(of: 0xFF) ?? bytes.endIndex) - bytes.startIndex
        default: return 0
        }
    }

    /// Parses one byte; returns the scan that ends before the marker of this byte, if any.
    private mutating func read(_ byte: UInt8) -> ProgressiveScan? {
        switch state {
        case .marker: state = byte == 0xFF ? .code : .done
        case .code: state = byte == 0xFF ? .code : next(after: byte)
        case .lengthHigh(let code): state = .lengthLow(code, high: Int(byte) << 8)
        case .lengthLow(let code, let high): state = content(of: code, length: high + Int(byte))
        case .segment(let code, let left): state = left > 1 ? .segment(code, left: left - 1) : stateAfterSegment(code)
        case .scan: if byte == 0xFF { state = .scanCode }
        case .scanCode: return readScanCode(byte)
        case .done: break
        }
        return nil
    }

    /// Returns the state after a marker outside of a scan.
    private mutating func next(after code: UInt8) -> State {
        switch code {
        case 0xD8: return offset == 1 ? .marker : .done
        case 0xD9, 0x00, 0x01, 0xD0...0xD7: return .done
        case 0xC2:
            isProgressive = true
            return .lengthHigh(code)
        // These are the other frame types; 0xC4, 0xC8 and 0xCC in between are tables and a reserved code.
        case 0xC0, 0xC1, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return .done
        default: return offset > 1 ? .lengthHigh(code) : .done
        }
    }

    private func content(of code: UInt8, length: Int) -> State {
        switch length {
        case ..<2: .done
        case 2: stateAfterSegment(code)
        default: .segment(code, left: length - 2)
        }
    }

    /// Returns the state after a segment; a start-of-scan segment is followed by entropy-coded bytes.
    private func stateAfterSegment(_ code: UInt8) -> State {
        guard code == 0xDA else { return .marker }
        return isProgressive ? .scan : .done
    }

    /// Parses the byte after 0xFF within a scan; returns the scan if the byte ends it.
    ///
    /// Zero is stuffing, 0xFF is fill, and 0xD0 to 0xD7 restart the coder; any other marker ends the scan.
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

/// A completely received scan of a progressive JPEG.
public struct ProgressiveScan: Sendable, Hashable {
    /// The number of the scan, from 1.
    public var number: Int
    /// The number of bytes from the start of the file to the end of the scan.
    public var end: Int

    /// Creates a scan.
    public init(number: Int, end: Int) { (self.number, self.end) = (number, end) }

    /// The σ in pixels of the blur of a picture after this scan; nil from the sixth scan on.
    var blurRadius: Double? { number < 6 ? Double(max(2, 14 - 4 * max(1, number))) : nil }
}

/// A schedule that decides which scans become partial pictures, and when.
package struct ScanSchedule: Sendable {
    private let options: ImageProgressive
    private var scanner = ProgressiveScanner()
    private var waiting: [ProgressiveScan] = []
    private var lastShown: Duration?

    /// Creates a schedule for a file that has not begun to arrive.
    package init(_ options: ImageProgressive) { self.options = options }

    /// Adds the next bytes of the file.
    package mutating func append(_ bytes: some ContiguousBytes) {
        waiting += scanner.append(bytes)
        if options.isFastestScan { waiting = waiting.suffix(1) }
    }

    /// Removes and returns the scan to show now; nil if there is none or the interval is not over.
    ///
    /// Call it until it returns nil: without an interval, several scans may be due.
    ///
    /// - Parameter now: The time since any fixed moment.
    package mutating func next(at now: Duration) -> ProgressiveScan? {
        guard !waiting.isEmpty, due.map({ now >= $0 }) ?? true else { return nil }
        lastShown = now
        return waiting.removeFirst()
    }

    private var due: Duration? { lastShown.map { $0 + max(.zero, min(options.scanInterval, .seconds(86_400))) } }
}

/// Options for showing a progressive JPEG while it loads.
public struct ImageProgressive: Sendable, Hashable {
    /// Whether early scans are blurred, each less than the one before; true by default.
    public var isBlur: Bool
    /// Whether only the newest scan is shown when several arrived together; true by default.
    public var isFastestScan: Bool
    /// The minimum time between two partial pictures; zero by default.
    public var scanInterval: Duration

    /// Creates the options; by default early scans are blurred, and the newest scan is shown at once.
    public init(isBlur: Bool = true, isFastestScan: Bool = true, scanInterval: Duration = .zero) {
        (self.isBlur, self.isFastestScan, self.scanInterval) = (isBlur, isFastestScan, scanInterval)
    }
}
