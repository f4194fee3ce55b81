import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs
@testable import AlcedoSandbox

@Suite(.timeLimit(.minutes(1))) struct FactsMakingTests {
    private static let crop = PictureRecipe(chain: "resize(80x80, fill)|>crop(80x80)", format: .jpeg, quality: 90)
    private let decoder = SandboxedDecoder(isRequired: true)

    private func checked(_ file: Data, _ recipe: PictureRecipe) throws -> (FileFacts, Data?) {
        var facts = try decoder.facts(of: file, making: recipe, limits: .standard)
        defer { facts.newFile = nil }
        return (facts, facts.newFile)
    }

    @Test(
        arguments: ["canyon.jpg", "kelp.jpg", "lagoon.jpg"],
        ["resize(80x80, fill)|>crop(80x80)", "bw", "downsample(150x150)"])
    func `one decode finds the facts of a check and makes the file of a recipe`(name: String, chain: String) throws {
        let file = try Pictures.asset(name)
        let recipe = PictureRecipe(chain: chain, format: .webP, quality: 70)
        let (facts, made) = try checked(file, recipe)
        #expect(try made == decoder.file(file, by: recipe, limits: .standard))
        let expected = try decoder.facts(of: file, .pixels, limits: .standard)
        let hashes = (try #require(facts.pixels?.hash), try #require(expected.pixels?.hash))
        #expect(hashes.0.distance(to: hashes.1) <= 2)
        #expect(facts.header == expected.header && facts.orientation == expected.orientation)
        #expect(facts.damage == nil && facts.pixels?.hasAlpha == false)
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `a picture that needs two decodes, or a chain that fails, makes no file`(kind: SampleFiles.Kind) throws {
        let file = try SampleFiles.file(kind)
        #expect(try checked(file, Self.crop) == (decoder.facts(of: file, .pixels, limits: .standard), nil))
        let broken = PictureRecipe(chain: "nothing(1)", format: .png)
        #expect(try checked(file, broken) == (decoder.facts(of: file, .pixels, limits: .standard), nil))
        let large = try Pictures.asset("kelp.jpg")
        let long = PictureRecipe(chain: Array(repeating: "blur(1)", count: 200).joined(separator: "|>"), format: .png)
        #expect(try checked(large, long).1 == nil && checked(large, broken).1 == nil)
    }

    /// A scaled decode reads every byte, so it must judge like the check of pixels.
    @Test(arguments: ["canyon.jpg", "lighthouse.jpg"], [80, 300])
    func `a damaged file has the verdict of the check and makes no file`(name: String, side: Int) throws {
        let whole = try Pictures.asset(name)
        let recipe = PictureRecipe(
            chain: "resize(\(side)x\(side), fill)|>crop(\(side)x\(side))", format: .jpeg, quality: 90)
        var random = SeededRandom(seed: UInt64(side))
        var files = (1...12).map { whole.prefix(whole.count * $0 / 13) }
        for _ in 0..<40 {
            var file = whole
            let place = Int.random(in: 1_000..<whole.count, using: &random)
            file[place] ^= UInt8.random(in: 1...255, using: &random)
            files.append(file)
        }
        var damaged = 0
        for file in files {
            let expected = Result { try CodecDecoder().facts(of: file, .pixels, limits: .standard) }
            let found = Result { try recipe.facts(of: file, CodecDecoder(), limits: .standard) }
            switch (found, expected) {
            case (.success(let facts), .success(let expected)):
                #expect(facts.damage == expected.damage)
                guard facts.damage?.affectsPixels == true else { continue }
                damaged += 1
                #expect(facts.newFile == nil)
            case (.failure, .failure): continue
            default: Issue.record("\(found) \(expected)")
            }
        }
        #expect(damaged > 12)
    }

    @Test func `a request is encoded and decoded unchanged`() throws {
        var limits = DecodeLimits(bytes: 5)
        limits.leadingSteps = LeadingSteps("resize(10x20, fill)|>crop(3x4)")
        for operation in [HelperRequest.Operation.factsMaking(Self.crop), .encode(Self.crop), .header] {
            let request = HelperRequest(operation, box: PixelSize(width: 1, height: 2), limits: limits)
            var reader = MessageReader(request.bytes)
            #expect(try HelperRequest(&reader) == request && reader.isAtEnd)
        }
    }

    @Test func `a file that was not requested, or that exceeds the limits, is refused`() throws {
        let facts = FileFacts(header: ImageHeader(format: .jpeg, size: PixelSize(width: 1, height: 1), frameCount: 1))
        let made = HelperReply.facts(.init(facts: facts, fileBytes: 3_000_000))
        func read(_ operation: HelperRequest.Operation, pixels: Int) throws -> HelperReply {
            try HelperReply(bytes: made.bytes, to: HelperRequest(operation, limits: DecodeLimits(pixels: pixels)))
        }
        #expect(try read(.factsMaking(Self.crop), pixels: 1_000_000) == made)
        #expect(throws: MessageReader.Malformed.self) { try read(.factsMaking(Self.crop), pixels: 10) }
        #expect(throws: MessageReader.Malformed.self) { try read(.facts(.pixels), pixels: 1_000_000) }
    }
}
