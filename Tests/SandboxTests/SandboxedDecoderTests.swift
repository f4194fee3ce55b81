import Foundation
import Glibc
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs
@testable import AlcedoSandbox

@Suite(.timeLimit(.minutes(1)))
struct SandboxedDecoderTests {
    private let decoder = SandboxedDecoder(isRequired: true)
    private let box = PixelSize(width: 10, height: 10)

    @Test func `every protection is available on this machine`() {
        #expect(decoder.protections()?.isSuperset(of: .all) == true)
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `a picture equals that of the in-process decoder`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        for box in [nil, box] {
            for loading in [AnimationLoading(), .init(onlyFirstFrame: true), .init(preloadsAllFrames: true)] {
                let sandboxed = try decoder.decode(data, within: box, limits: .standard, animation: loading)
                let expected = try CodecDecoder().decode(data, within: box, limits: .standard, animation: loading)
                #expect(sandboxed.with(expected.pixels).pixels == sandboxed.pixels)
                #expect(sandboxed.originalSize == expected.originalSize && sandboxed.format == expected.format)
                #expect(sandboxed.frameCount == expected.frameCount && sandboxed.byteCount == expected.byteCount)
                #expect(sandboxed.animation?.delays == expected.animation?.delays)
                #expect(sandboxed.animation?.loopCount == expected.animation?.loopCount)
                #expect(sandboxed.animation?.frames == expected.animation?.frames)
            }
        }
        #expect(try decoder.header(of: data, limits: .standard) == CodecDecoder().header(of: data, limits: .standard))
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .webP, .gif])
    func `a new file equals that of the in-process decoder`(format: ImageFormat) throws {
        let recipe = PictureRecipe(
            chain: "resize(20x20, fill)|>crop(20x20)|>round(4)|>blur(1)", format: format, quality: 70)
        for kind in [SampleFiles.Kind.baselineJPEG, .png, .webP] {
            let data = try SampleFiles.file(kind)
            let made = try #require(try decoder.file(data, by: recipe, limits: .standard))
            #expect(try made == CodecDecoder().file(data, by: recipe, limits: .standard))
            let header = try CodecDecoder().header(of: made, limits: .standard)
            #expect(header.format == format && header.size == PixelSize(width: 20, height: 20))
        }
    }

    @Test func `an animation stays one but in JPEG, and damage is an error unless it is allowed`() throws {
        let moving = try SampleFiles.file(.movingGIF)
        let recipe = PictureRecipe(chain: "bw", format: .webP)
        #expect(try decoder.file(moving, by: recipe, limits: .standard) == nil)
        #expect(try decoder.file(moving, by: PictureRecipe(chain: "", format: .jpeg), limits: .standard) != nil)
        let whole = try SampleFiles.file(.png)
        let cut = whole.prefix(whole.count * 2 / 3)
        #expect(throws: CodecError.self) { try decoder.file(cut, by: recipe, limits: .standard) }
        var tolerant = DecodeLimits.standard
        tolerant.allowsDamage = true
        #expect(try decoder.file(cut, by: recipe, limits: tolerant) != nil)
    }

    @Test func `a chain that is none, or too long, is an error of the chain`() throws {
        let data = try SampleFiles.file(.png)
        let long = Array(repeating: "blur(1)", count: 200).joined(separator: "|>")
        for chain in ["nothing(1)", long] {
            do {
                _ = try decoder.file(data, by: PictureRecipe(chain: chain, format: .png), limits: .standard)
                Issue.record("no error")
            } catch CodecError.processor(.processingFailed(let identifier, _)) {
                #expect(identifier == "process")
            }
        }
    }

    @Test(arguments: [SampleFiles.Kind.movingGIF, .movingWebP])
    func `frames are decoded on demand`(kind: SampleFiles.Kind) async throws {
        let data = try SampleFiles.file(kind)
        let sandboxed = AnimationFrames(
            try #require(try decoder.decode(data, within: nil, limits: .standard).animation))
        let local = AnimationFrames(
            try #require(try CodecDecoder().decode(data, within: nil, limits: .standard).animation))
        #expect(sandboxed.count == local.count)
        for index in Array(0..<local.count).reversed() {
            #expect(try await sandboxed.frame(at: index) == local.frame(at: index))
        }
    }

    @Test(arguments: [(1, 90), (1, 60), (1, 100), (7, 3), (65_535, 1)] as [(UInt16, UInt16)])
    func `delays and loop count equal those of the in-process decoder`(number: UInt16, unit: UInt16) throws {
        var file = APNGWriter.moving(3)
        file.frames[1].delay = (number, unit)
        let sandboxed = try #require(try decoder.decode(file.data, within: nil, limits: .standard).animation)
        let expected = try #require(try CodecDecoder().decode(file.data, within: nil, limits: .standard).animation)
        #expect(sandboxed.delays == expected.delays)
        #expect(sandboxed.loopCount == expected.loopCount)
    }

    @Test func `pictures are decoded after the zygote was killed`() async throws {
        let file = try SampleFiles.file(.png)
        _ = try decoder.header(of: file, limits: .standard)
        let zygotes = try Self.zygotes()
        try #require(zygotes.count == 1)
        kill(zygotes[0], SIGKILL)
        for _ in 0..<20 { #expect(try decoder.header(of: file, limits: .standard).format == .png) }
        await until { (try? Self.zygotes().isEmpty) == true }
        #expect(try decoder.header(of: file, limits: .standard).format == .png)
        #expect(decoder.protections()?.isSuperset(of: .all) == true)
    }

    /// The zygotes that are children of this process; a standby is the child of its zygote.
    private static func zygotes() throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter { process in
            let file = "/proc/\(process)/stat"
            guard let status = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
            let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
            return status.contains("(alcedo-zygote)") && fields.count > 1 && fields[1] == "\(getpid())"
                && fields[0] != "Z"
        }
    }

    @Test func `an animation with preloaded frames keeps its decoder`() throws {
        let data = try SampleFiles.file(.movingGIF)
        let image = try decoder.decode(
            data, within: nil, limits: .standard, animation: AnimationLoading(preloadsAllFrames: true))
        let animation = try #require(image.animation)
        #expect(animation.frames.count == animation.frameCount && animation.frameSource?.name == "\(decoder)")
    }

    @Test func `a partial picture equals that of the in-process decoder`() throws {
        let file = try ProgressiveJPEG.file()
        var schedule = ScanSchedule(ImageProgressive())
        schedule.append(file.prefix(file.count / 2))
        let next = schedule.next(at: .zero)
        let scan = try #require(next)
        for isBlur in [true, false] {
            let sandboxed = try decoder.partialPicture(
                of: file, through: scan, within: box, isBlur: isBlur, limits: .standard)
            let expected = try CodecDecoder().partialPicture(
                of: file, through: scan, within: box, isBlur: isBlur, limits: .standard)
            #expect(sandboxed == expected)
        }
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `errors equal those of the in-process decoder`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let small = DecodeLimits(pixels: 10)
        for (data, limits) in [(data.prefix(data.count / 2), .standard), (data, small), (Data("text".utf8), small)] {
            let sandboxed = Result { try decoder.decode(data, within: nil, limits: limits) }
            let expected = Result { try CodecDecoder().decode(data, within: nil, limits: limits) }
            #expect("\(sandboxed.mapError { $0 as NSError })" == "\(expected.mapError { $0 as NSError })")
        }
    }

    @Test func `concurrent decodes return the right pictures`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { @concurrent [decoder] in
                    let color = Color(red: UInt8(number * 6), green: 10, blue: 20, alpha: 255)
                    let picture = PixelBuffer(size: PixelSize(width: 30 + number, height: 20), filledWith: color)
                    let image = try decoder.decode(picture.pngData(), within: nil, limits: .standard)
                    #expect(image.pixels == picture)
                }
            }
            try await group.waitForAll()
        }
    }

    private static func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    /// An OpenEXR file of two by two pixels without compression; its samples are half floats.
    ///
    /// Source: OpenEXR's file layout, https://openexr.com/en/latest/OpenEXRFileLayout.html
    private static var openEXR: Data {
        var file: [UInt8] = [0x76, 0x2F, 0x31, 1] + little(2)
        func add(_ name: String, _ type: String, _ value: [UInt8]) {
            file += Array(name.utf8) + [0] + Array(type.utf8) + [0] + little(value.count) + value
        }
        let halfFloats = little(1) + little(0) + little(1) + little(1)
        var channels: [UInt8] = []
        for name in ["B", "G", "R"] { channels += Array(name.utf8) + [0] + halfFloats }
        let (window, one) = (little(0) + little(0) + little(1) + little(1), little(0x3F80_0000))
        add("channels", "chlist", channels + [0])
        add("compression", "compression", [0])
        add("dataWindow", "box2i", window)
        add("displayWindow", "box2i", window)
        add("lineOrder", "lineOrder", [0])
        add("pixelAspectRatio", "float", one)
        add("screenWindowCenter", "v2f", [UInt8](repeating: 0, count: 8))
        add("screenWindowWidth", "float", one)
        file.append(0)
        let first = file.count + 16
        file += little(first, 8) + little(first + 20, 8)
        for row in 0..<2 {
            // Blue and green are 0, red is 1.
            file += little(row) + little(12) + [UInt8](repeating: 0, count: 8) + little(0x3C00, 2) + little(0x3C00, 2)
        }
        return Data(file)
    }

    @Test func `formats whose loader needs a path are decoded repeatedly`() throws {
        for _ in 0..<3 {
            let image = try SandboxedDecoder().decode(Self.openEXR, within: nil, limits: .standard)
            #expect(image.format == .openEXR && image.size == PixelSize(width: 2, height: 2) && image.damage == nil)
            #expect(image.pixels[1, 1].red == 255 && image.pixels[1, 1].green == 0)
        }
    }

    /// A TIFF file of 6,000 by 6,000 white pixels, packed by PackBits: 103 MiB of samples.
    private static var largeTIFF: Data {
        let side = 6000
        var pixels: [UInt8] = []
        for _ in 0..<side {
            // 140 times 128 bytes, and 80
            for _ in 0..<140 { pixels += [0x81, 0xFF] }
            pixels += [0xB1, 0xFF]
        }
        let fields = [
            (256, side), (257, side), (258, 8), (259, 32773), (262, 2), (273, 8 + 2 + 9 * 12 + 4), (277, 3),
            (278, side), (279, pixels.count),
        ]
        var file: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 9, 0]
        for (tag, value) in fields { file += little(tag, 2) + little(4, 2) + little(1) + little(value) }
        return Data(file + [0, 0, 0, 0] + pixels)
    }

    @Test func `a picture with more than 100 MiB of samples is decoded completely`() throws {
        let image = try SandboxedDecoder().decode(
            Self.largeTIFF, within: PixelSize(width: 10, height: 10), limits: .standard)
        #expect(image.damage == nil && image.originalSize == PixelSize(width: 6000, height: 6000))
        #expect(image.pixels[5, 5] == Color(red: 255, green: 255, blue: 255))
    }

    @Test(arguments: [
        ("unable to write to \"/tmp/vips-0-1.v\"", 4106), ("Security limit exceeded: 17000x17000", 4102),
        ("memory allocation failed", 4102), ("image type not supported", 4103), ("Unsupported feature: mirror", 4103),
        ("unexpected end-of-file", 4101),
    ])
    func `an unsupported feature of a library is not damage of the file`(reason: String, code: Int) throws {
        let error = CodecError.refused(.tiff, reason)
        #expect(error.title.contains(reason))
        if case .processor(let kind) = error { #expect(kind.code == code) } else { Issue.record("\(error)") }
    }

    @Test func `a file that exceeds the processor time keeps the facts of its header`() throws {
        let file = try Pictures.png(width: 24, height: 18)
        let error = HelperProcess.Failure.exhausted(.processorTime(seconds: 3)).error(of: "PNG")
        for check in [PictureCheck.pixels, .thumbnail] {
            let facts = try SandboxedDecoder.facts(of: file, check, beyondLimit: error)
            #expect(facts.header.size == PixelSize(width: 24, height: 18) && facts.pixels == nil && facts.damage == nil)
        }
        // Not where the pixels were to tell whether it is whole, nor without a size, nor after other errors
        #expect(throws: error) { try SandboxedDecoder.facts(of: file, .framing, beyondLimit: error) }
        #expect(throws: error) { try SandboxedDecoder.facts(of: Data("<svg".utf8), .pixels, beyondLimit: error) }
        let crash = HelperProcess.Failure.ended("it crashed with signal 11").error(of: "PNG")
        #expect(throws: crash) { try SandboxedDecoder.facts(of: file, .pixels, beyondLimit: crash) }
    }
}
