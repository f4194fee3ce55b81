import Raster

/// A request to a decoder helper; the file comes with it as a descriptor.
struct HelperRequest: Equatable {
    enum Operation: Equatable {
        case header
        case decode(AnimationLoading)
        /// Decodes the scans of an incomplete progressive JPEG.
        case partial(ProgressiveScan, isBlur: Bool)
        /// Decodes a frame of the animation that the previous `openAnimation` opened.
        case frame(Int)
        case openAnimation
        /// Reports the helper's protections.
        case status
        /// Lists the files of an archive.
        case listArchive
        /// Unpacks the files of an archive from one on, until the total of their bytes is reached.
        case unpackArchive(from: Int, total: Int)
        /// Attempts something forbidden; answered only by helpers of the tests.
        case attempt(Int)
    }

    /// Whether the descriptor is read as a file that need not fit into memory.
    var isForArchive: Bool {
        switch operation {
        case .listArchive, .unpackArchive: true
        default: false
        }
    }

    /// The largest number of bytes that a helper may send back about an archive.
    var largestReply: Int {
        guard case .unpackArchive(_, let total) = operation else { return 512 << 20 }
        // The files, and the table of them.
        return min(total, 1 << 40) + min(limits.bytes, 1 << 40) + 64 << 20
    }

    var operation: Operation
    /// The box that the picture is scaled down to fit; nil keeps its size.
    var box: PixelSize?
    var limits: DecodeLimits
    /// The limit of processor time in seconds.
    var processorSeconds = 10

    /// Creates a request from its bytes.
    init(bytes: [UInt8]) throws(MessageReader.Malformed) {
        var reader = MessageReader(bytes)
        let code = try reader.integer(in: 0...8)
        let values = (try reader.integer(in: 0...Int.max), try reader.integer(in: 0...Int.max))
        let flags = (try reader.flag(), try reader.flag())
        operation =
            switch code {
            case 0: .header
            case 1: .decode(AnimationLoading(onlyFirstFrame: flags.0, preloadsAllFrames: flags.1))
            case 2: .partial(ProgressiveScan(number: values.0, end: values.1), isBlur: flags.0)
            case 3: .frame(values.0)
            case 4: .openAnimation
            case 5: .status
            case 7: .listArchive
            case 8: .unpackArchive(from: values.0, total: values.1)
            default: .attempt(values.0)
            }
        let sides = 0...Int(Int32.max)
        box =
            try reader.flag()
            ? PixelSize(width: try reader.integer(in: sides), height: try reader.integer(in: sides)) : nil
        limits = DecodeLimits(
            bytes: try reader.integer(in: 0...Int.max), pixels: try reader.integer(in: 0...Int.max),
            frames: try reader.integer(in: 0...Int.max))
        limits.allowsDamage = try reader.flag()
        processorSeconds = try reader.integer(in: 1...3600)
        try reader.finish()
    }

    init(_ operation: Operation, box: PixelSize? = nil, limits: DecodeLimits) {
        self.operation = operation
        self.box = box
        self.limits = limits
    }

    var bytes: [UInt8] {
        var writer = MessageWriter()
        var (code, values, flags) = (0, (0, 0), (false, false))
        switch operation {
        case .header: code = 0
        case .decode(let loading): (code, flags) = (1, (loading.onlyFirstFrame, loading.preloadsAllFrames))
        case .partial(let scan, let isBlur): (code, values, flags) = (2, (scan.number, scan.end), (isBlur, false))
        case .frame(let index): (code, values.0) = (3, index)
        case .openAnimation: code = 4
        case .status: code = 5
        case .attempt(let number): (code, values.0) = (6, number)
        case .listArchive: code = 7
        case .unpackArchive(let first, let total): (code, values) = (8, (first, total))
        }
        writer.write(code)
        writer.write(values.0)
        writer.write(values.1)
        writer.write(flags.0)
        writer.write(flags.1)
        writer.write(box != nil)
        if let box {
            writer.write(min(box.width, Int(Int32.max)))
            writer.write(min(box.height, Int(Int32.max)))
        }
        for limit in [limits.bytes, limits.pixels, limits.frames] { writer.write(max(0, limit)) }
        writer.write(limits.allowsDamage)
        writer.write(processorSeconds)
        return writer.bytes
    }
}
