import AlcedoCSandbox
import AlcedoImageCodecs
import FoundationEssentials
import Glibc
import Raster

/// Answers requests on a helper's socket until the program closes it; the zygote calls it in each helper.
@c(alcedo_helper_main)
public func runDecoderHelper(_ socket: Int32, _ status: Int32) {
    DecoderHelper(socket: socket, protections: SandboxProtections(rawValue: Int(status))).run()
}

/// The main loop of a helper process, which decodes one picture after another.
private struct DecoderHelper {
    let socket: Int32
    let protections: SandboxProtections

    func run() {
        InProcessDecoding.allow()
        var session = HelperSession(protections: protections)
        var buffer = [UInt8](repeating: 0, count: HelperRequest.largestMessage)
        while true {
            var descriptors: (Int32, Int32) = (-1, -1)
            let count = withUnsafeMutableBytes(of: &descriptors) {
                sandbox_receive(socket, &buffer, buffer.count, $0.bindMemory(to: Int32.self).baseAddress, 2, -1)
            }
            guard count > 0 else { return }
            var reader = MessageReader(buffer[..<count])
            guard let request = try? HelperRequest(&reader) else { return }
            // The memory for the reply is the first descriptor, the file the last one.
            let memory = SharedMemory(adopting: request.needsMemory ? descriptors.0 : -1)
            let file = SharedMemory(adopting: request.needsMemory ? descriptors.1 : descriptors.0)
            let contents =
                request.isForArchive ? Data() : file.descriptor < 0 ? Data(reader.rest) : file.mapped()
            Vips.setFile(file.descriptor)
            // All requests of a pass over an archive share one limit of processor time.
            if !request.isForArchive || file.descriptor >= 0 {
                sandbox_begin_request(Int32(clamping: request.processorSeconds))
            }
            let answer =
                contents.map { session.answer(request, file: $0, descriptor: file.descriptor) }
                ?? HelperSession.Answer(reply: Self.noMemory)
            guard send(answer, memory) else { return }
        }
    }

    private static let noMemory = HelperReply.failure(.processor(.environment("the decoder process has no memory")))

    private func send(_ answer: HelperSession.Answer, _ memory: borrowing SharedMemory) -> Bool {
        var isComplete = true
        for part in answer.memory { isComplete = isComplete && memory.write(part) }
        let bytes = (isComplete ? answer.reply : Self.noMemory).bytes
        return sandbox_send(socket, bytes, bytes.count, -1) == 0
    }
}

/// The requests that a decoder helper answers, without the transport.
struct HelperSession {
    /// A reply with the contents of the shared memory.
    struct Answer {
        var reply: HelperReply
        var memory: [[UInt8]] = []
    }

    private let protections: SandboxProtections
    private let decoder = CodecDecoder(formats: Set(ImageFormat.allCases))
    private var frames: (any FrameReading)?
    private var scan: ArchiveScan?

    init(protections: SandboxProtections) { self.protections = protections }

    /// Performs a request.
    ///
    /// - Parameters:
    ///   - file: The picture's file; empty for `.frame`.
    ///   - descriptor: The archive's file; -1 continues the pass of the previous request.
    mutating func answer(_ request: HelperRequest, file: Data, descriptor: Int32 = -1) -> Answer {
        do throws(CodecError) {
            switch request.operation {
            case .header: return Answer(reply: .header(try decoder.header(of: file, limits: request.limits)))
            case .facts(let check):
                return Self.answer(try decoder.facts(of: file, check, limits: request.limits))
            case .factsMaking(let recipe):
                return Self.answer(try recipe.facts(of: file, decoder, limits: request.limits))
            case .decode(let onlyFirstFrame):
                return Self.answer(
                    try decoder.decode(
                        file, within: request.box, limits: request.limits,
                        animation: AnimationLoading(onlyFirstFrame: onlyFirstFrame)))
            case .partial(let scan, let isBlur):
                return Self.answer(
                    try decoder.partialPicture(
                        of: file, through: scan, within: request.box, isBlur: isBlur, limits: request.limits))
            case .openAnimation:
                let still = try decoder.decode(
                    file, within: PixelSize(width: 1, height: 1), limits: request.limits, animation: AnimationLoading())
                guard let animation = still.animation else { throw Self.noAnimation }
                frames = try animation.frameReader(within: request.box, limits: request.limits)
                return Answer(reply: .header(still.header))
            case .encode(let recipe):
                guard let made = try recipe.file(from: file, decoder, limits: request.limits) else {
                    return Answer(reply: .header(try decoder.header(of: file, limits: request.limits)))
                }
                return Answer(reply: .bytes(made.count), memory: [Array(made)])
            case .frame(let index):
                guard var reader = frames else { throw Self.noAnimation }
                defer { frames = reader }
                return Self.answer(frame: try reader.frame(at: index))
            case .listArchive:
                let bytes = try openScan(descriptor).list()
                return Answer(reply: .bytes(bytes.count), memory: [bytes])
            case .unpackArchive(let first, let total):
                let bytes = try openScan(descriptor).unpack(from: first, total: total, limit: request.limits.bytes)
                return Answer(reply: .bytes(bytes.count), memory: [bytes])
            case .status: return Answer(reply: .status(protections))
            case .attempt(let number):
                let result = sandbox_attempt(Int32(truncatingIfNeeded: number))
                return Answer(reply: .failure(.damaged("attempt", "\(result)")))
            }
        } catch {
            return Answer(reply: .failure(error))
        }
    }

    private mutating func openScan(_ descriptor: Int32) throws(CodecError) -> ArchiveScan {
        if descriptor >= 0 { scan = try ArchiveScan(descriptor) }
        guard let scan else { throw .damaged("archive", "no archive is open") }
        return scan
    }

    private static let noAnimation = CodecError.damaged("animation", "no animation is open")

    private static func answer(_ image: Image) -> Answer {
        let animation = image.animation
        let delays = (animation?.delays ?? []).flatMap { delay in
            withUnsafeBytes(of: Int64(clamping: delay.attoseconds / 1_000_000_000).littleEndian, Array.init)
        }
        let picture = HelperReply.Picture(
            size: image.size, header: image.header, loopCount: animation.map { $0.loopCount ?? 0 }, damage: image.damage
        )
        return Answer(reply: .picture(picture), memory: [image.pixels.bytes, delays])
    }

    private static func answer(_ facts: FileFacts) -> Answer {
        let (pixels, made) = (facts.thumbnail?.pixels, facts.newFile)
        var facts = facts
        (facts.thumbnail, facts.newFile) = (nil, nil)
        return Answer(
            reply: .facts(HelperReply.Facts(facts: facts, thumbnail: pixels?.size, fileBytes: made?.count)),
            memory: (pixels?.bytes ?? made.map { Array($0) }).map { [$0] } ?? [])
    }

    private static func answer(frame: PixelBuffer) -> Answer {
        let header = ImageHeader(format: .gif, size: frame.size, frameCount: 1)
        return Answer(reply: .picture(HelperReply.Picture(size: frame.size, header: header)), memory: [frame.bytes])
    }
}
