import FaultServer
import KingfisherCompatibility
import TestSupport
import Testing

/// `kf` of images and of data, and the storages by themselves.
@Suite(.timeLimit(.minutes(1))) struct WrapperTests {
    private func image() throws -> Image {
        let pixels = Pictures.make(60, 40) { x, y in Color(red: UInt8(x * 4), green: UInt8(y * 6), blue: 50) }
        return try #require(Image(data: try pixels.pngData()))
    }

    @Test func `images are changed as by the processors`() throws {
        let image = try image()
        let size = CGSize(width: 30, height: 30)
        let pairs: [(Image, any ImageProcessor)] = [
            (image.kf.resize(to: size), ResizingImageProcessor(referenceSize: size)),
            (image.kf.resize(to: size, for: .aspectFit), ResizingImageProcessor(referenceSize: size, mode: .aspectFit)),
            (
                image.kf.crop(to: size, anchorOn: CGPoint(x: 1, y: 0)),
                CroppingImageProcessor(size: size, anchor: CGPoint(x: 1, y: 0))
            ),
            (image.kf.blurred(withRadius: 2), BlurImageProcessor(blurRadius: 2)),
            (image.kf.overlaying(with: .blue, fraction: 0.3), OverlayImageProcessor(overlay: .blue, fraction: 0.3)),
            (image.kf.tinted(with: .green), TintImageProcessor(tint: .green)),
            (
                image.kf.adjusted(brightness: 0.2, contrast: 1, saturation: 0, inputEV: 0.5),
                ColorControlsProcessor(brightness: 0.2, contrast: 1, saturation: 0, inputEV: 0.5)
            ),
            (image.kf.addingBorder(Border(color: .blue)), BorderImageProcessor(border: Border(color: .blue))),
            (
                image.kf.image(withRadius: .point(6), fit: size),
                RoundCornerImageProcessor(radius: .point(6), targetSize: size)
            ),
            (
                image.kf.image(withBlendMode: .multiply, backgroundColor: .green),
                BlendImageProcessor(blendMode: .multiply, backgroundColor: .green)
            ),
        ]
        for (changed, processor) in pairs {
            let expected = processor.process(item: .image(image), options: KingfisherParsedOptionsInfo(nil))
            let (isEqual, isChanged) = (changed.pixels == expected?.pixels, changed.pixels != image.pixels)
            #expect(isEqual && isChanged, "\(processor.identifier)")
        }
    }

    @Test func `images become files, whose bytes tell the format`() throws {
        let image = try image()
        #expect(image.kf.pngRepresentation()?.kf.imageFormat == .PNG)
        #expect(image.kf.jpegRepresentation(compressionQuality: 0.5)?.kf.imageFormat == .JPEG)
        #expect(image.kf.gifRepresentation()?.kf.imageFormat == .GIF)
        #expect(image.kf.data(format: .unknown)?.kf.imageFormat == .PNG)
        #expect(Data("text".utf8).kf.imageFormat == .unknown)
        #expect(Radius.widthFraction(0.25).compute(with: CGSize(width: 40, height: 10)) == 10)
        #expect(Radius.heightFraction(0.5).compute(with: CGSize(width: 40, height: 10)) == 5)
        #expect(Radius.point(3).compute(with: .zero) == 3)
    }

    @Test func `the tiers of a cache may be used alone`() async throws {
        let place = try await Place()
        let (memory, image) = (place.cache.memoryStorage, try image())
        memory.store(value: image, forKey: "a")
        memory.store(value: image, forKey: "b", expiration: .expired)
        #expect(memory.value(forKey: "a") == image && memory.isCached(forKey: "a") && !memory.isCached(forKey: "b"))
        #expect(place.cache.retrieveImageInMemoryCache(forKey: "a") == image)
        memory.remove(forKey: "a")
        memory.removeExpired()
        #expect(memory.value(forKey: "a") == nil)
        memory.store(value: image, forKey: "c")
        memory.removeAll()
        #expect(memory.totalCacheCost() == 0)
        await withCheckedContinuation { done in
            place.cache.storeToDisk(Data([1]), forKey: "d") { _ in done.resume() }
        }
        #expect(place.cache.diskStorage.isCached(forKey: "d") && !place.cache.diskStorage.isCached(forKey: "e"))
    }

    @Test func `a transfer's measurements have Kingfisher's names`() async throws {
        let place = try await Place()
        let metrics = try #require(try await place.downloader.downloadImage(with: place.url("/a.png")).metrics)
        #expect(metrics.httpStatusCode == 200 && metrics.redirectCount == 0)
        #expect(metrics.responseBodyBytesReceived == Int64(try Place.picture(.red).count))
        #expect(metrics.totalRequestDuration > 0 && (metrics.downloadSpeed ?? 0) > 0)
        #expect((metrics.connectDuration ?? 0) >= 0 && metrics.secureConnectionDuration ?? 0 == 0)
        #expect((metrics.domainLookupDuration ?? 0) >= 0)
    }
}
