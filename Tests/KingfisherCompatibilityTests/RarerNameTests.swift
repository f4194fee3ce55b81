import FaultServer
import Foundation
import KingfisherCompatibility
import TestSupport
import Testing

/// What few programs of Kingfisher type.
@Suite(.timeLimit(.minutes(1))) struct RarerNameTests {
    private let place: Place

    init() async throws { place = try await Place() }

    /// Tries again a number of times, and counts how often it was asked.
    private struct Stubborn: RetryStrategy {
        let limit: Int
        let asked = Recorder<Int>()

        func retry(context: RetryContext, retryHandler: @escaping @Sendable (RetryDecision) -> Void) {
            asked.add(context.retriedCount)
            retryHandler(context.retriedCount < limit ? .retry(userInfo: nil) : .stop)
        }
    }

    @Test(arguments: [(1, [1, 0]), (2, [0, 1])])
    func `a prefetcher asks the program's strategy about every error`(limit: Int, expected: [Int]) async throws {
        let picture = FaultScript.picture(Array(try Place.picture(.red)))
        let place = try await Place(["/a": [.picture([]), .picture(Array("no picture".utf8)), picture]])
        let (strategy, lists) = (Stubborn(limit: limit), Recorder<[Int]>())
        ImagePrefetcher(urls: [try place.url("/a")], options: place.own + [.retryStrategy(strategy)]) {
            lists.add([$1.count, $2.count])
        }.start()
        await lists.until(count: 1)
        #expect(lists.all == [expected] && strategy.asked.all == Array(0...1))
    }

    @Test func `a prefetcher that is stopped while its strategy waits makes no further attempt`() async throws {
        let place = try await Place(["/a": [.status(500)]])
        let (lists, waiting) = (Recorder<[Int]>(), Waiting())
        let prefetcher = ImagePrefetcher(
            urls: [try place.url("/a")], options: place.own + [.retryStrategy(waiting)],
            completionHandler: { lists.add([$1.count, $2.count]) })
        prefetcher.start()
        await waiting.asked.until(count: 1)
        prefetcher.stop()
        await lists.until(count: 1)
        #expect(lists.all == [[1, 0]])
        #expect(await place.requests("/a") == 1)
    }

    /// Never decides.
    private struct Waiting: RetryStrategy {
        let asked = Recorder<Int>()

        func retry(context: RetryContext, retryHandler: @escaping @Sendable (RetryDecision) -> Void) {
            asked.add(context.retriedCount)
        }
    }

    @Test func `the removal of expired files is told with their hashes`() async throws {
        let (cache, told) = (place.cache, Recorder<[String]>())
        let token = NotificationCenter.default.addObserver(
            forName: .KingfisherDidCleanDiskCache, object: cache, queue: nil
        ) { told.add($0.userInfo?[KingfisherDiskCacheCleanedHashKey] as? [String] ?? []) }
        defer { NotificationCenter.default.removeObserver(token) }
        let picture = try Place.picture(.red)
        await withCheckedContinuation { done in
            cache.storeToDisk(picture, forKey: "kept")
            cache.storeToDisk(picture, forKey: "old", expiration: .seconds(0.01)) { _ in done.resume() }
        }
        await until { !cache.isCached(forKey: "old") }
        #expect(try cache.diskStorage.totalSize() == UInt(picture.count))
        await withCheckedContinuation { done in cache.cleanExpiredDiskCache { done.resume() } }
        await withCheckedContinuation { done in cache.cleanExpiredDiskCache { done.resume() } }
        #expect(told.all == [[cache.hash(forKey: "old")]])
        #expect(cache.isCached(forKey: "kept"))
    }

    @Test func `a session's header fields go along unless the request has them`() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["Access-Token": "session", "Accept-Language": "de"]
        place.downloader.sessionConfiguration = configuration
        place.downloader.requestsUsePipelining = true
        let own = AnyModifier {
            var request = $0
            request.setValue("own", forHTTPHeaderField: "access-token")
            return request
        }
        let url = try place.url("/a.png")
        _ = try await place.downloader.downloadImage(with: url)
        _ = try await place.downloader.downloadImage(with: url, options: [.requestModifier(own)])
        let requests = await place.server.requests
        #expect(requests.map { $0.values(of: "Access-Token") } == [["session"], ["own"]])
        #expect(requests.map { $0.values(of: "Accept-Language") } == [["de"], ["de"]])
    }

    @Test func `a download with parsed options has a task`() async throws {
        let (url, sizes) = (try place.url("/a.png"), Recorder<Int>())
        let task: DownloadTask = place.downloader.downloadImage(
            with: url, options: KingfisherParsedOptionsInfo([.callbackQueue(.untouch)])
        ) { sizes.add($0.value?.image.size.width ?? 0) }
        await sizes.until(count: 1)
        #expect(sizes.all == [60] && task.isInitialized)
    }

    /// A serializer as Kingfisher 5's manual writes it.
    private struct FormerSerializer: CacheSerializer {
        let read = Recorder<Int>()

        func data(with image: Image, original: Data?) -> Data? { original }
        func image(with data: Data, options: KingfisherParsedOptionsInfo?) -> Image? {
            read.add(data.count)
            return Image(data: data)
        }
    }

    @Test func `a serializer may take options that are missing`() async throws {
        let (serializer, cache) = (FormerSerializer(), place.cache)
        let options = KingfisherParsedOptionsInfo([.cacheSerializer(serializer)])
        let (picture, image) = (try Place.picture(.red), try Place.image(.red))
        await withCheckedContinuation { done in
            cache.store(image, original: picture, forKey: "k", options: options) { _ in done.resume() }
        }
        cache.clearMemoryCache()
        let found = try await cache.retrieveImage(forKey: "k", options: [.cacheSerializer(serializer)])
        #expect(found.image?.size.width == 60 && serializer.read.all == [picture.count])
        #expect(DefaultCacheSerializer.default.image(with: picture, options: nil)?.size.width == 60)
    }

    @Test func `a size is fitted into another one, or covers it`() {
        let (wide, square) = (CGSize(width: 40, height: 20), CGSize(width: 100, height: 100))
        #expect(wide.kf.constrained(square) == CGSize(width: 100, height: 50))
        #expect(wide.kf.filling(square) == CGSize(width: 200, height: 100))
        #expect(wide.kf.resize(to: square, for: .none) == square)
        #expect(wide.kf.resize(to: square, for: .aspectFit) == wide.kf.constrained(square))
        #expect(square.kf.resize(to: wide, for: .aspectFill) == CGSize(width: 40, height: 40))
        let part = CGSize(width: 10, height: 10)
        #expect(
            square.kf.constrainedRect(for: part, anchor: CGPoint(x: 0.5, y: 2))
                == CGRect(x: 45, y: 90, width: 10, height: 10))
        #expect(
            wide.kf.constrainedRect(for: square, anchor: .zero) == CGRect(x: 0, y: 0, width: 40, height: 20))
    }

    @Test func `processors tell their parameters`() {
        let size = CGSize(width: 20, height: 10)
        let round = RoundCornerImageProcessor(
            radius: .widthFraction(0.5), targetSize: size, roundingCorners: [.topLeft], backgroundColor: .white)
        #expect(round.radius == .widthFraction(0.5) && round.targetSize == size)
        #expect(round.roundingCorners == [.topLeft] && round.backgroundColor == .white)
        #expect(OverlayImageProcessor(overlay: .red).overlay == .red && TintImageProcessor(tint: .blue).tint == .blue)
        let blend = BlendImageProcessor(blendMode: .darken, alpha: 0.5, backgroundColor: .white)
        let composed = CompositingImageProcessor(compositingOperation: .darken, alpha: 0.5, backgroundColor: .white)
        #expect(composed.identifier == blend.identifier)
    }

    private final class Shade: KFCrossPlatformView, Placeholder {}

    @Test @MainActor func `a view is a placeholder, and its bounds are in pixels`() async throws {
        let (gate, screen, shade) = (FaultGate(), Screen(), Shade())
        let picture = FaultScript.picture(Array(try Place.picture(.red)))
        let place = try await Place(["/slow": [FaultScript([.wait(gate)] + picture.steps)]])
        #expect(screen.view.bounds.width > 20 && screen.view.bounds.width.truncatingRemainder(dividingBy: 20) == 0)
        shade.isHidden = true
        let outcome = Recorder<Bool>()
        screen.view.kf.setImage(with: try place.url("/slow"), placeholder: shade, options: place.own) {
            outcome.add($0.value != nil)
        }
        #expect(!shade.isHidden && shade.bounds == screen.view.bounds)
        gate.open()
        await outcome.until(count: 1)
        #expect(outcome.all == [true] && shade.isHidden && screen.view.image != nil)
    }
}
