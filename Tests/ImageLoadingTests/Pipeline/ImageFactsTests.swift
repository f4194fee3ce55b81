import FaultServer
import Foundation
import Raster
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct ImageFactsTests {
    private func facts(_ name: String, type: String? = nil) -> ImageFacts {
        var picture = PictureFacts()
        picture.format = ImageFormat.named(name)
        var facts = ImageFacts(picture)
        facts.contentType = type
        return facts
    }

    @Test(arguments: [
        ("JPEG", "http://h/a.jpg", "image/jpeg", nil), ("JPEG", "http://h/a.JPEG?x=.png", nil, nil),
        ("JPEG", "http://h/a.png", "image/jpeg", "name: PNG"), ("PNG", "http://h/photo.php", "image/png; q=1", nil),
        ("PNG", "http://h/a", "image/jpeg", "Content-Type: image/jpeg"), ("PNG", "http://h/a", "image/*", nil),
        ("PNG", "http://h/a", "text/html", "Content-Type: text/html"), ("SVG", "http://h/a", "text/xml", nil),
        ("WebP", "http://h/a.b/c", "application/octet-stream", nil), ("HEIC", "http://h/a.heif", "image/heif", nil),
        ("video", "http://h/a.mov", "video/quicktime", nil),
    ])
    func `a name or media type of another format is reported as a mismatch`(
        format: String, address: String, type: String?, expected: String?
    ) {
        #expect(facts(format, type: type).mismatch(address: address) == expected)
    }

    @Test func `the orientation of a file is a fact, also from the cache`() async throws {
        let script = FaultScript.picture(Array(try OrientedJPEG.data(orientation: 6)), type: "image/jpeg")
        try await PipelineStage.play(["/x": [script]]) { stage in
            let source = Source.network(try #require(URL(string: stage.server.url("/x"))))
            for _ in 0..<2 { #expect(try await stage.pipeline.warm(source).facts?.orientation == 6) }
        }
        #expect(StatedOrientation.read(Data(try Pictures.bytes("basalt-columns.png")), .png) == 1)
        #expect(StatedOrientation.read(Data(), .gif) == nil)
    }

    @Test func `the results of the check are facts, also from the cache`() async throws {
        let picture = try Pictures.bytes("harbour.gif")
        let script = FaultScript.picture(picture, type: "image/gif")
        try await PipelineStage.play(["/x": [script]]) { stage in
            let source = Source.network(try #require(URL(string: stage.server.url("/x"))))
            let options: ImageOptions = [.originalCheck(.decode)]
            let fetched = try #require(try await stage.pipeline.warm(source, options: options).facts)
            let cached = try #require(try await stage.pipeline.warm(source, options: options).facts)
            #expect(fetched.fetchedAt == nil && cached.fetchedAt != nil)
            var known = cached
            known.fetchedAt = nil
            #expect(fetched == known)
            #expect(fetched.verdict == .whole && fetched.perceptualHash != nil && fetched.hasAlpha == false)
            #expect(fetched.contentType == "image/gif" && fetched.color?.model == .rgb)
            #expect(fetched.sha256 == ContentDigest(of: Data(picture)).hexadecimal)
            let animation = try CodecDecoder().decode(Data(picture), within: nil, limits: .standard).animation
            #expect(fetched.duration == animation?.delays.reduce(.zero, +))
        }
    }

    @Test func `a check makes the file of a recipe, once and only of pixels`() async throws {
        let picture = try Pictures.bytes("canyon.jpg")
        let script = FaultScript.picture(picture, type: "image/jpeg")
        try await PipelineStage.play(["/x": [script], "/y": [script]]) { stage in
            let recipe = PictureRecipe(chain: "resize(80x80, fill)|>crop(80x80)", format: .webP)
            var options: ImageOptions = [.originalCheck(.decode)]
            options.process.recipe = { $0.size.width > 80 ? recipe : nil }
            let source = Source.network(try #require(URL(string: stage.server.url("/x"))))
            let made = try #require(try await stage.pipeline.warm(source, options: options).facts?.newFile)
            #expect(made.recipe == recipe)
            #expect(try made.data == CodecDecoder().file(Data(picture), by: recipe, limits: .standard))
            #expect(try await stage.pipeline.warm(source, options: options).facts?.newFile == nil)
            options.process.originalCheck = .framing
            let other = Source.network(try #require(URL(string: stage.server.url("/y"))))
            #expect(try await stage.pipeline.warm(other, options: options).facts?.newFile == nil)
        }
    }

    @Test func `an entry without facts gets them from its bytes when requested`() async throws {
        let picture = try Pictures.bytes("canyon.jpg")
        try await PipelineStage.play(["/x": [.picture(picture, type: "image/jpeg")]]) { stage in
            let source = Source.network(try #require(URL(string: stage.server.url("/x"))))
            var options: ImageOptions = [.originalCheck(.framing)]
            #expect(try await stage.pipeline.warm(source, options: options).facts?.perceptualHash == nil)
            options = [.originalCheck(.decode), .onlyFromCache]
            options.download.inspection = .whole
            let inspected = try #require(try await stage.pipeline.warm(source, options: options).facts)
            #expect(
                inspected.perceptualHash != nil && inspected.verdict == .whole && inspected.contentType == "image/jpeg")
            let cached = try await stage.pipeline.warm(source, options: [.onlyFromCache]).facts
            #expect(cached == inspected)
            let other = Source.network(try #require(URL(string: stage.server.url("/y"))))
            await #expect(throws: ImageError.cache(.imageNotExisting(key: other.cacheKey))) {
                try await stage.pipeline.warm(other, options: options)
            }
        }
    }
}
