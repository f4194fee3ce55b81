import AlcedoCSandbox
import AlcedoImageCodecs
import FoundationEssentials
import Raster
import Synchronization

/// A decoder that decodes each picture in a helper process without rights.
///
/// A helper can read libraries, fonts and the picture, and use memory and processor time; it can neither open other
/// files nor write, connect, or start a process. A picture that crashes its decoder costs one helper and is reported as
/// an error. The program must link the product `DecoderSandbox`, which forks a small process when the program is
/// loaded; without it every call throws `CodecError.processor(.environment)`.
public struct SandboxedDecoder: ImageDecoding, Hashable {
    /// Whether decoding fails when the kernel lacks one of the protections; otherwise the remaining ones are used.
    package let isRequired: Bool

    /// Creates a decoder, which by default goes on without a protection that the kernel lacks.
    public init(isRequired: Bool = false) { self.isRequired = isRequired }

    /// Whether the program can start helper processes.
    public static var isAvailable: Bool { sandbox_has_zygote() != 0 }

    /// Starts a helper ahead of the first picture.
    package func prepare(limits: DecodeLimits = .standard) { HelperPool.shared.prepare(settings(limits)) }

    /// Calls `handler` once, with the first picture that is decoded, if the kernel lacks a protection; the last handler
    /// counts.
    package static func onMissingProtection(_ handler: @escaping @Sendable (SandboxProtections) -> Void) {
        HelperPool.shared.onMissingProtection(handler)
    }

    /// Returns the protections that hold in a helper; nil if no helper can be started.
    package func protections() -> SandboxProtections? {
        guard let helper = try? HelperProcess(settings(.standard)),
            case .status(let protections)? = try? helper.perform(HelperRequest(.status, limits: .standard)).reply
        else { return nil }
        return protections
    }

    public func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try limits.check(bytes: data.count)
        let result = try perform(HelperRequest(.header, limits: limits), data)
        guard case .header(let header) = result.reply else { throw Self.error(.malformed, of: data) }
        return header
    }

    public func facts(
        of data: Data, _ check: PictureCheck, limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        try facts(of: data, check, nil, limits)
    }

    /// Checks a file; with a recipe, the helper also makes a new file where one decode is enough for both.
    func facts(
        of data: Data, _ check: PictureCheck, _ recipe: PictureRecipe?, _ limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        try limits.check(bytes: data.count)
        if check == .framing, let facts = FileFacts.ofFraming(data, limits: limits) { return facts }
        let result: HelperProcess.Result
        let recipe = recipe.flatMap { $0.isShort ? $0 : nil }
        do throws(CodecError) {
            let request = HelperRequest(recipe.map { .factsMaking($0) } ?? .facts(check), limits: limits)
            result = try perform(request, data)
        } catch {
            return try Self.facts(of: data, check, beyondLimit: error)
        }
        guard case .facts(let reply) = result.reply else { throw Self.error(.malformed, of: data) }
        var facts = reply.facts
        if reply.fileBytes != nil, let recipe {
            facts.newFile = try newFile(result, recipe, of: data)
        } else if let size = reply.thumbnail {
            guard let pixels = result.memory.pixels(at: 0, size: size) else { throw Self.error(.malformed, of: data) }
            facts.thumbnail = Image(
                DecodedPixels(pixels: pixels, damage: facts.damage), facts.header, byteCount: data.count)
        }
        return facts
    }

    /// Returns the facts of the header of a file that needs more time or memory than a helper has.
    ///
    /// As with files beyond the other limits, it need not be decoded to be kept.
    ///
    /// - Throws: The error of the helper if it is another one, if the file declares no size, or if only the pixels tell
    ///   whether it is whole.
    static func facts(
        of data: Data, _ check: PictureCheck, beyondLimit error: CodecError
    ) throws(CodecError) -> FileFacts {
        guard check != .framing, case .processor(.limitExceeded) = error, let header = DeclaredHeader.read(data) else {
            throw error
        }
        return FileFacts(header: header)
    }

    public func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits, animation: AnimationLoading())
    }

    public func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation loading: AnimationLoading
    ) throws(CodecError) -> Image {
        try limits.check(bytes: data.count)
        let request = HelperRequest(.decode(onlyFirstFrame: loading.onlyFirstFrame), box: box, limits: limits)
        let image = try image(try perform(request, data), of: data)
        return try image.loading(loading, within: box, limits: limits)
    }

    public func partialPicture(
        of data: Data, through scan: ProgressiveScan, within box: PixelSize?, isBlur: Bool, limits: DecodeLimits
    ) throws(CodecError) -> Image {
        try limits.check(bytes: data.count)
        let request = HelperRequest(.partial(scan, isBlur: isBlur), box: box, limits: limits)
        return try image(try perform(request, data), of: data)
    }

    func newFile(of data: Data, _ recipe: PictureRecipe, limits: DecodeLimits) throws(CodecError) -> Data? {
        try limits.check(bytes: data.count)
        guard recipe.isShort else {
            throw .processor(.processingFailed(identifier: "process", "a chain has at most 1000 bytes"))
        }
        let result = try perform(HelperRequest(.encode(recipe), limits: limits), data)
        switch result.reply {
        case .header: return nil
        case .bytes: return try newFile(result, recipe, of: data)
        default: throw Self.error(.malformed, of: data)
        }
    }

    private func newFile(
        _ result: borrowing HelperProcess.Result, _ recipe: PictureRecipe, of data: Data
    ) throws(CodecError) -> Data {
        guard let made = result.memory.mapped(), FormatSniffer.format(of: made) == recipe.format else {
            throw Self.error(.malformed, of: data)
        }
        return made
    }

    /// Returns the settings of helpers for pictures within the limits.
    ///
    /// A helper may use 1.5 GiB of address space, most of it for libraries and stacks, and three pictures of the
    /// largest size.
    func settings(_ limits: DecodeLimits) -> HelperProcess.Settings {
        let (pixels, isTooMuch) = limits.pixels.multipliedReportingOverflow(by: 12)
        let most = isTooMuch ? 1 << 45 : min(pixels, 1 << 45)
        // The pixels of a picture, and the delays of its frames.
        return HelperProcess.Settings(
            memory: isTooMuch ? .max : most + 1_536 << 20, reply: most / 3 + min(limits.frames, 1 << 40) * 8 + 1 << 20,
            isRequired: isRequired)
    }

    private func perform(_ request: HelperRequest, _ data: Data) throws(CodecError) -> HelperProcess.Result {
        let result: HelperProcess.Result
        var request = request
        request.processorSeconds = request.limits.processorSeconds(for: data)
        do throws(HelperProcess.Failure) {
            result = try HelperPool.shared.perform(request, on: data, settings(request.limits))
        } catch {
            throw Self.error(error, of: data)
        }
        return try result.get()
    }

    /// Returns the error for a picture whose helper failed.
    static func error(_ failure: HelperProcess.Failure, of data: Data) -> CodecError {
        failure.error(of: FormatSniffer.format(of: data)?.rawValue ?? "image")
    }

    private func image(_ result: borrowing HelperProcess.Result, of data: Data) throws(CodecError) -> Image {
        guard case .picture(let picture) = result.reply,
            let pixels = result.memory.pixels(at: 0, size: picture.size),
            let delays = result.memory.numbers(at: picture.pixelBytes, count: picture.delayCount)
        else { throw Self.error(.malformed, of: data) }
        let decoded = DecodedPixels(pixels: pixels, damage: picture.damage)
        var image = Image(decoded, picture.header, byteCount: data.count)
        guard let loopCount = picture.loopCount else { return image }
        image.animation = Animation(
            file: data, delays: delays.map { .nanoseconds($0) }, loopCount: loopCount, canvasSize: picture.header.size)
        image.animation?.frameSource = FrameSource(name: "\(self)") {
            (animation, box, size, limits) throws(CodecError) in
            try SandboxedFrameReader(animation, within: box, size: size, limits: limits, self)
        }
        return image
    }
}

/// The protections that hold in a helper process.
package struct SandboxProtections: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The process cannot gain rights by starting a program (`PR_SET_NO_NEW_PRIVS`).
    package static let noNewPrivileges = SandboxProtections(rawValue: Int(sandbox_no_new_privs))
    /// Landlock: the process can read libraries and fonts, and no other file.
    package static let landlock = SandboxProtections(rawValue: Int(sandbox_landlock))
    /// Seccomp: the process can use only the system calls that decoders need.
    package static let seccomp = SandboxProtections(rawValue: Int(sandbox_seccomp))
    /// Limits of memory, processor time and open files.
    package static let resourceLimits = SandboxProtections(rawValue: Int(sandbox_limits))
    /// The process has no rights of root and a user namespace of its own, in which its threads are limited; many
    /// kernels and containers forbid that, so it is never required.
    package static let ownUser = SandboxProtections(rawValue: Int(sandbox_own_user))
    /// Each protection with its name.
    package static let named: [(protection: SandboxProtections, name: String)] = [
        (.noNewPrivileges, "no-new-privileges"), (.landlock, "landlock"), (.seccomp, "seccomp"),
        (.resourceLimits, "resource limits"), (.ownUser, "own user"),
    ]

    /// The names of the protections.
    package var names: [String] { Self.named.filter { contains($0.protection) }.map(\.name) }

    /// All protections that every kernel with Landlock and seccomp has.
    package static let all = SandboxProtections(rawValue: Int(sandbox_all))
}

/// A reader of an animation's frames that are decoded in a helper process, which the reader keeps.
final class SandboxedFrameReader: FrameReading {
    private let helper: HelperProcess
    private let size: PixelSize
    private let file: Data
    private let limits: DecodeLimits
    private let processorSeconds: Int

    /// Opens an animation.
    ///
    /// - Parameters:
    ///   - animation: The animation.
    ///   - box: The box that frames are scaled down to fit; nil keeps their size.
    ///   - size: The size of the scaled frames.
    ///   - limits: The limits that the animation must keep to.
    ///   - decoder: The decoder whose settings the helper has.
    init(
        _ animation: Animation, within box: PixelSize?, size: PixelSize, limits: DecodeLimits,
        _ decoder: SandboxedDecoder
    ) throws(CodecError) {
        (self.size, self.limits, file) = (size, limits, animation.file)
        processorSeconds = limits.processorSeconds(for: animation.file)
        do throws(HelperProcess.Failure) {
            helper = try HelperProcess(decoder.settings(limits))
        } catch {
            throw SandboxedDecoder.error(error, of: animation.file)
        }
        _ = try perform(HelperRequest(.openAnimation, box: box, limits: limits), on: file)
    }

    func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        let result = try perform(HelperRequest(.frame(index), limits: limits))
        guard case .picture(let picture) = result.reply, picture.size == size,
            let pixels = result.memory.pixels(at: 0, size: size)
        else { throw SandboxedDecoder.error(.malformed, of: file) }
        return pixels
    }

    private func perform(_ request: HelperRequest, on data: Data? = nil) throws(CodecError) -> HelperProcess.Result {
        let result: HelperProcess.Result
        var request = request
        request.processorSeconds = processorSeconds
        do throws(HelperProcess.Failure) {
            result = if let data { try helper.perform(request, on: data) } else { try helper.perform(request) }
        } catch {
            throw SandboxedDecoder.error(error, of: file)
        }
        return try result.get()
    }
}
