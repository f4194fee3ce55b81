import AlcedoImageCodecs
import Raster

/// A message to another process: little-endian integers of eight bytes, and strings after their length.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: Int) {
        withUnsafeBytes(of: Int64(value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: Bool) { write(value ? 1 : 0) }

    /// Writes a string, cut off after 1,000 bytes.
    mutating func write(_ text: String) {
        let text = text.utf8.prefix(1000)
        write(text.count)
        bytes.append(contentsOf: text)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        !(0x20...0x7E).contains(value) && [.control, .format].contains(properties.generalCategory)
    }
}

extension String {
    /// Whether the text has control characters, or invisible characters that change how text is shown.
    var hasControls: Bool { unicodeScalars.contains { $0.isControl } }
}

/// A reader of a message, which may have been written by an attacker.
struct MessageReader {
    /// The message is too short or too long, or a value is out of its range.
    struct Malformed: Error {}

    /// The bytes after those that were read.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Reads an integer.
    ///
    /// - Throws: `Malformed` if the value is outside the range.
    mutating func integer(in range: ClosedRange<Int>) throws(Malformed) -> Int {
        let field = try next(8)
        let number = Int(Int64(littleEndian: field.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }))
        guard range.contains(number) else { throw Malformed() }
        return number
    }

    mutating func flag() throws(Malformed) -> Bool { try integer(in: 0...1) == 1 }

    /// Reads a string; control characters and invalid UTF-8 are replaced.
    mutating func text() throws(Malformed) -> String {
        let text = String(decoding: try next(try integer(in: 0...1000)), as: UTF8.self)
        guard text.hasControls else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Checks that nothing follows.
    func finish() throws(Malformed) { guard rest.isEmpty else { throw Malformed() } }

    private mutating func next(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

/// A request to a decoder helper; the file follows in the same message, or comes as a descriptor.
struct HelperRequest: Equatable {
    enum Operation: Equatable {
        case header
        case facts(PictureCheck)
        case decode(onlyFirstFrame: Bool)
        /// Decodes the scans of an incomplete progressive JPEG.
        case partial(ProgressiveScan, isBlur: Bool)
        /// Decodes a frame of the animation that the previous `openAnimation` opened.
        case frame(Int)
        case openAnimation
        /// Makes a new file; the reply is a header if the file is an animation that stays one.
        case encode(PictureRecipe)
        /// Checks the pixels, and makes a new file if one decode does both.
        case factsMaking(PictureRecipe)
        /// Reports the helper's protections.
        case status
        /// Lists files of an archive; without a descriptor, the list continues after the previous request.
        case listArchive
        /// Unpacks the files of an archive from one on, until the total of their bytes is reached. Without a
        /// descriptor, the pass of the previous request continues.
        case unpackArchive(from: Int, total: Int)
        /// Attempts something forbidden; answered only by helpers of the tests.
        case attempt(Int)
    }

    /// The largest file, in bytes, that is sent in the message of its request.
    ///
    /// A round trip with a file of 14 KB takes 10 µs this way, and 37 µs with a descriptor of shared memory.
    static let largestInlineFile = DecodeLimits.largestSmallFile
    /// The largest number of bytes of a request with its file.
    static let largestMessage = largestInlineFile + 4096

    /// Whether the descriptor is read as a file that need not fit into memory.
    var isForArchive: Bool {
        switch operation {
        case .listArchive, .unpackArchive: true
        default: false
        }
    }

    /// Whether the reply comes with bytes, for which the program sends memory.
    var needsMemory: Bool {
        switch operation {
        case .decode, .partial, .frame, .encode, .factsMaking, .facts(.thumbnail), .listArchive, .unpackArchive,
            .attempt:
            true
        case .header, .facts, .openAnimation, .status: false
        }
    }

    /// The largest number of bytes that a helper may send back about an archive, or as a new file.
    var largestReply: Int {
        if recipe != nil { return 4 * min(limits.pixels, 1 << 40) + 1 << 20 }
        guard case .unpackArchive(_, let total) = operation else { return 64 << 20 }
        // The files, and the table of them.
        return min(total, 1 << 40) + min(limits.bytes, 1 << 40) + 64 << 20
    }

    private var recipe: PictureRecipe? {
        switch operation {
        case .encode(let recipe), .factsMaking(let recipe): recipe
        default: nil
        }
    }

    var operation: Operation
    /// The box that the picture is scaled down to fit; nil keeps its size.
    var box: PixelSize?
    var limits: DecodeLimits
    /// The limit of processor time in seconds.
    var processorSeconds = 1

    /// Reads a request; the reader stays at the file that follows.
    init(_ reader: inout MessageReader) throws(MessageReader.Malformed) {
        let code = try reader.integer(in: 0...13)
        let values = (try reader.integer(in: 0...Int.max), try reader.integer(in: 0...Int.max))
        let flag = try reader.flag()
        operation =
            switch code {
            case 0: .header
            case 1: .decode(onlyFirstFrame: flag)
            case 2: .partial(ProgressiveScan(number: values.0, end: values.1), isBlur: flag)
            case 3: .frame(values.0)
            case 4: .openAnimation
            case 5: .status
            case 7: .listArchive
            case 8: .unpackArchive(from: values.0, total: values.1)
            case 9: .facts(.framing)
            case 10: .facts(.pixels)
            case 11: .facts(.thumbnail)
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
        limits.page = try reader.integer(in: 1...Int(Int32.max))
        processorSeconds = try reader.integer(in: 1...3600)
        if try reader.flag() {
            guard let steps = LeadingSteps(try reader.text()) else { throw MessageReader.Malformed() }
            limits.leadingSteps = steps
        }
        if code >= 12 {
            guard let format = ImageFormat.allCases.dropFirst(values.0).first else { throw MessageReader.Malformed() }
            let recipe = PictureRecipe(chain: try reader.text(), format: format, quality: values.1)
            operation = code == 12 ? .encode(recipe) : .factsMaking(recipe)
        }
    }

    init(_ operation: Operation, box: PixelSize? = nil, limits: DecodeLimits) {
        (self.operation, self.box, self.limits) = (operation, box, limits)
    }

    var bytes: [UInt8] {
        var writer = MessageWriter()
        var (code, values, flag) = (0, (0, 0), false)
        switch operation {
        case .header: code = 0
        case .facts(.framing): code = 9
        case .facts(.pixels): code = 10
        case .facts(.thumbnail): code = 11
        case .decode(let onlyFirstFrame): (code, flag) = (1, onlyFirstFrame)
        case .partial(let scan, let isBlur): (code, values, flag) = (2, (scan.number, scan.end), isBlur)
        case .frame(let index): (code, values.0) = (3, index)
        case .openAnimation: code = 4
        case .status: code = 5
        case .attempt(let number): (code, values.0) = (6, number)
        case .listArchive: code = 7
        case .unpackArchive(let first, let total): (code, values) = (8, (first, total))
        case .encode: code = 12
        case .factsMaking: code = 13
        }
        if let recipe { values = (ImageFormat.allCases.firstIndex(of: recipe.format) ?? 0, recipe.quality) }
        writer.write(code)
        writer.write(values.0)
        writer.write(values.1)
        writer.write(flag)
        writer.write(box != nil)
        if let box {
            writer.write(min(box.width, Int(Int32.max)))
            writer.write(min(box.height, Int(Int32.max)))
        }
        for limit in [limits.bytes, limits.pixels, limits.frames] { writer.write(max(0, limit)) }
        writer.write(limits.allowsDamage)
        writer.write(min(max(1, limits.page), Int(Int32.max)))
        writer.write(processorSeconds)
        writer.write(limits.leadingSteps != nil)
        if let steps = limits.leadingSteps { writer.write(steps.text) }
        if let recipe { writer.write(recipe.chain) }
        return writer.bytes
    }
}

/// The reply of a decoder helper; pixels and delays come with it in shared memory.
enum HelperReply: Equatable {
    /// The facts about a decoded picture.
    ///
    /// The shared memory contains the pixels of the picture and the delay of each frame in nanoseconds.
    struct Picture: Equatable {
        var size: PixelSize
        var header: ImageHeader
        /// The animation's number of plays, 0 for endless; nil if the picture has no animation.
        var loopCount: Int?
        var damage: PictureDamage?

        /// The bytes of the picture's own pixels.
        var pixelBytes: Int { size.area * 4 }
        /// The number of delays, each of eight bytes.
        var delayCount: Int { loopCount == nil ? 0 : header.frameCount }
        /// The bytes of the shared memory.
        var byteCount: Int { pixelBytes + delayCount * 8 }
    }

    /// The facts of a file, with the size of the thumbnail in shared memory; nil without one.
    struct Facts: Equatable {
        var facts: FileFacts
        var thumbnail: PixelSize?
        /// The bytes of the new file in shared memory, instead of the thumbnail; nil without one.
        var fileBytes: Int?
    }

    case header(ImageHeader)
    case facts(Facts)
    case picture(Picture)
    case failure(CodecError)
    case status(SandboxProtections)
    /// The number of bytes in shared memory, which answer a request about an archive.
    case bytes(Int)

    /// The bytes of the shared memory that comes with the reply; nil if there is none.
    var byteCount: Int? {
        switch self {
        case .picture(let picture): picture.byteCount
        case .facts(let facts): facts.fileBytes ?? facts.thumbnail.map { $0.area * 4 }
        case .bytes(let count): count
        default: nil
        }
    }

    /// Reads a reply that an attacker may have written.
    ///
    /// - Throws: `Malformed` if it is no reply to the request, or a number is out of its range or exceeds the limits of
    ///   the request.
    init(bytes: [UInt8], to request: HelperRequest) throws(MessageReader.Malformed) {
        var reader = MessageReader(bytes)
        switch try reader.integer(in: 0...5) {
        case 0: self = .header(try Self.header(&reader, request.limits))
        case 1:
            let size = try Self.size(&reader, request.limits)
            guard size.area <= Self.largestArea else { throw MessageReader.Malformed() }
            let header = try Self.header(&reader, request.limits)
            let loopCount = try reader.flag() ? try reader.integer(in: 0...Int(Int32.max)) : nil
            self = .picture(
                Picture(size: size, header: header, loopCount: loopCount, damage: try Self.damage(&reader)))
        case 2: self = .failure(try Self.failure(&reader))
        case 4: self = .bytes(try reader.integer(in: 0...request.largestReply))
        case 5:
            var facts = try Self.facts(&reader, request.limits)
            facts.fileBytes = try reader.flag() ? try reader.integer(in: 0...request.largestReply) : nil
            self = .facts(facts)
        default: self = .status(SandboxProtections(rawValue: try reader.integer(in: 0...Int(Int32.max))))
        }
        try reader.finish()
        guard answers(request.operation) else { throw MessageReader.Malformed() }
    }

    /// Returns whether an operation may have this reply; the hostile decoder of the tests sends a picture for an
    /// attempt.
    private func answers(_ operation: HelperRequest.Operation) -> Bool {
        switch (self, operation) {
        case (.facts(let facts), .facts(let check)):
            facts.fileBytes == nil && (facts.thumbnail == nil || check == .thumbnail)
        case (.facts(let facts), .factsMaking): facts.thumbnail == nil
        case (.failure, _), (.header, .header), (.header, .openAnimation), (.picture, .decode), (.picture, .partial),
            (.picture, .frame), (.picture, .attempt), (.bytes, .listArchive), (.bytes, .unpackArchive),
            (.bytes, .encode), (.header, .encode),
            (.status, .status):
            true
        default: false
        }
    }

    var bytes: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .header(let header):
            writer.write(0)
            Self.write(header, &writer)
        case .facts(let facts):
            writer.write(5)
            Self.write(facts, &writer)
            writer.write(facts.fileBytes != nil)
            if let count = facts.fileBytes { writer.write(count) }
        case .picture(let picture):
            writer.write(1)
            writer.write(picture.size.width)
            writer.write(picture.size.height)
            Self.write(picture.header, &writer)
            writer.write(picture.loopCount != nil)
            if let count = picture.loopCount { writer.write(count) }
            Self.write(picture.damage, &writer)
        case .failure(let error):
            writer.write(2)
            Self.write(error, &writer)
        case .status(let protections):
            writer.write(3)
            writer.write(protections.rawValue)
        case .bytes(let count):
            writer.write(4)
            writer.write(count)
        }
        return writer.bytes
    }

    /// The largest number of pixels for which the number of bytes cannot overflow.
    private static let largestArea = 1 << 40

    private static func size(
        _ reader: inout MessageReader, _ limits: DecodeLimits
    ) throws(MessageReader.Malformed) -> PixelSize {
        let sides = 1...Int(Int32.max)
        let size = PixelSize(width: try reader.integer(in: sides), height: try reader.integer(in: sides))
        guard size.area <= limits.pixels else { throw MessageReader.Malformed() }
        return size
    }

    private static func header(
        _ reader: inout MessageReader, _ limits: DecodeLimits
    ) throws(MessageReader.Malformed) -> ImageHeader {
        let formats = ImageFormat.allCases
        let format = formats[try reader.integer(in: 0...formats.count - 1)]
        let size = try size(&reader, limits)
        let frames = try reader.integer(in: 1...max(1, limits.frames))
        let pages = try reader.integer(in: 1...Int(Int32.max))
        let models = ColorFacts.Model.allCases
        let (model, bits) = (try reader.integer(in: 0...models.count), try reader.integer(in: 0...64))
        let profile = try reader.text()
        let color =
            model == 0 ? nil : ColorFacts(models[model - 1], bits: bits, profile: profile.isEmpty ? nil : profile)
        return ImageHeader(format: format, size: size, frameCount: frames, pageCount: pages, color: color)
    }

    private static func write(_ header: ImageHeader, _ writer: inout MessageWriter) {
        writer.write(ImageFormat.allCases.firstIndex(of: header.format) ?? 0)
        writer.write(header.size.width)
        writer.write(header.size.height)
        writer.write(header.frameCount)
        writer.write(max(1, header.pageCount))
        let model = header.color.flatMap { ColorFacts.Model.allCases.firstIndex(of: $0.model) }
        writer.write(model.map { $0 + 1 } ?? 0)
        writer.write(header.color?.bits ?? 0)
        writer.write(header.color?.profile ?? "")
    }

    private static func facts(
        _ reader: inout MessageReader, _ limits: DecodeLimits
    ) throws(MessageReader.Malformed) -> Facts {
        // The header of a picture beyond the limits is a fact, too.
        var all = limits
        (all.pixels, all.frames) = (.max, Int(Int32.max))
        let header = try header(&reader, all)
        let orientation = try reader.integer(in: 0...8)
        var facts = FileFacts(
            header: header, orientation: orientation == 0 ? nil : orientation, damage: try damage(&reader))
        if try reader.flag() {
            let hash = try reader.flag() ? UInt64(bitPattern: Int64(try reader.integer(in: Int.min...Int.max))) : nil
            let hasAlpha = try reader.flag()
            let duration: Duration? = try reader.flag() ? .nanoseconds(try reader.integer(in: 0...Int.max)) : nil
            facts.pixels = FileFacts.Pixels(
                hash: hash.map(PerceptualHash.init(bits:)), hasAlpha: hasAlpha, duration: duration)
        }
        guard try reader.flag() else { return Facts(facts: facts) }
        let sides = (1...PictureCheck.box.width, 1...PictureCheck.box.height)
        let size = PixelSize(width: try reader.integer(in: sides.0), height: try reader.integer(in: sides.1))
        return Facts(facts: facts, thumbnail: size)
    }

    private static func write(_ reply: Facts, _ writer: inout MessageWriter) {
        write(reply.facts.header, &writer)
        writer.write(reply.facts.orientation ?? 0)
        write(reply.facts.damage, &writer)
        writer.write(reply.facts.pixels != nil)
        if let pixels = reply.facts.pixels {
            writer.write(pixels.hash != nil)
            if let hash = pixels.hash { writer.write(Int(Int64(bitPattern: hash.bits))) }
            writer.write(pixels.hasAlpha)
            writer.write(pixels.duration != nil)
            if let duration = pixels.duration { writer.write(Int(clamping: duration.attoseconds / 1_000_000_000)) }
        }
        writer.write(reply.thumbnail != nil)
        if let size = reply.thumbnail {
            writer.write(size.width)
            writer.write(size.height)
        }
    }

    private static func failure(_ reader: inout MessageReader) throws(MessageReader.Malformed) -> CodecError {
        let code = try reader.integer(in: 0...7)
        let (name, text) = (try reader.text(), try reader.text())
        let damage = try damage(&reader)
        return switch code {
        case 0: .processor(.decodingFailed(format: name, text))
        case 1: .processor(.limitExceeded(text))
        case 2: .processor(.processingFailed(identifier: name, text))
        case 3: .notAnImage(text)
        case 4: .processor(.decoderUnavailable(text))
        case 5: .processor(.damaged(format: name, damage ?? .corrupt(text)))
        case 7: .processor(.environment(text))
        default: .cancelled
        }
    }

    private static func write(_ error: CodecError, _ writer: inout MessageWriter) {
        let (code, name, text) =
            switch error {
            case .processor(.decodingFailed(let format, let reason)): (0, format, reason)
            case .processor(.limitExceeded(let reason)): (1, "", reason)
            case .processor(.processingFailed(let identifier, let reason)): (2, identifier, reason)
            case .notAnImage(let appearance): (3, "", appearance)
            case .processor(.decoderUnavailable(let reason)): (4, "", reason)
            case .processor(.damaged(let format, _)): (5, format, "")
            case .processor(.environment(let reason)): (7, "", reason)
            case .cancelled: (6, "", "")
            }
        writer.write(code)
        writer.write(name)
        writer.write(text)
        if case .processor(.damaged(_, let damage)) = error { write(damage, &writer) } else { write(nil, &writer) }
    }

    private static func damage(_ reader: inout MessageReader) throws(MessageReader.Malformed) -> PictureDamage? {
        let (code, reason) = (try reader.integer(in: 0...3), try reader.text())
        return switch code {
        case 1: .missingEnd
        case 2: .incomplete(reason)
        case 3: .corrupt(reason)
        default: nil
        }
    }

    private static func write(_ damage: PictureDamage?, _ writer: inout MessageWriter) {
        let (code, reason) =
            switch damage {
            case nil: (0, "")
            case .missingEnd: (1, "")
            case .incomplete(let reason): (2, reason)
            case .corrupt(let reason): (3, reason)
            }
        writer.write(code)
        writer.write(reason)
    }
}
