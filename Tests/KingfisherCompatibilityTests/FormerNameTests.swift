import FaultServer
import KingfisherCompatibility
import TestSupport
import Testing

/// Forms of Kingfisher 7, and names that only its manual has.
@Suite(.timeLimit(.minutes(1))) struct FormerNameTests {
    private let place: Place

    init() async throws { place = try await Place() }

    /// Answers by handlers; without an answer for passwords the general one is asked.
    private final class Responder: AuthenticationChallengeResponsable, Sendable {
        let asked = Recorder<String>()

        func downloader(
            _ downloader: ImageDownloader, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            asked.add("general")
            completionHandler(.useCredential, URLCredential(user: "ann", password: "secret", persistence: .none))
        }
    }

    /// Answers challenges for passwords only.
    private final class PasswordResponder: AuthenticationChallengeResponsable, Sendable {
        let password: String

        init(_ password: String) { self.password = password }

        func downloader(
            _ downloader: ImageDownloader, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) { completionHandler(.useCredential, URLCredential(user: "ann", password: password, persistence: .none)) }
    }

    @Test func `a responder may answer by handlers`() async throws {
        let picture = Array(try Place.picture(.red))
        let server = try await FaultServer.start { request, _ in
            request.values(of: "Authorization") == ["Basic YW5uOnNlY3JldA=="]
                ? .picture(picture) : .status(401, headers: [("WWW-Authenticate", "Basic realm=\"pictures\"")])
        }
        let url = try #require(URL(string: server.url("/a.png")))
        let (general, password, wrong) = (Responder(), PasswordResponder("secret"), PasswordResponder("no"))
        place.downloader.authenticationChallengeResponder = general
        #expect(try await place.downloader.downloadImage(with: url).image.size.width == 60)
        #expect(general.asked.all == ["general"])
        place.downloader.authenticationChallengeResponder = password
        #expect(try await place.downloader.downloadImage(with: url).image.size.width == 60)
        place.downloader.authenticationChallengeResponder = wrong
        await #expect(throws: KingfisherError.self) { try await place.downloader.downloadImage(with: url) }
    }

    /// Changes the address by a handler, or refuses.
    private struct Modifier: AsyncImageDownloadRequestModifier {
        let path: String?

        func modified(for request: URLRequest, reportModified: @escaping (URLRequest?) -> Void) {
            guard let path else { return reportModified(nil) }
            var request = request
            request.url = request.url?.deletingLastPathComponent().appending(path: path)
            reportModified(request)
        }
    }

    @Test func `a request modifier may report by a handler`() async throws {
        let url = try place.url("/a.png")
        #expect(await place.retrieve(.network(url), [.requestModifier(Modifier(path: "b.png"))]).value != nil)
        #expect(await place.requests("/a.png") == 0)
        #expect(await place.requests("/b.png") == 1)
        let refused = await place.retrieve(.network(try place.url("/c.png")), [.requestModifier(Modifier(path: nil))])
        guard case .failure(.requestError(reason: .emptyRequest)) = refused else {
            Issue.record("\(refused)")
            return
        }
    }

    /// Stops at a redirect to a forbidden path.
    private struct Following: ImageDownloadRedirectHandler {
        func handleHTTPRedirection(
            for task: SessionDataTask, response: HTTPURLResponse, newRequest: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) { completionHandler(newRequest.url?.path == "/forbidden" ? nil : newRequest) }
    }

    @Test func `a redirect handler may answer by a handler`() async throws {
        let place = try await Place([
            "/1": [.status(302, headers: [("Location", "/a.png")])],
            "/2": [.status(302, headers: [("Location", "/forbidden")])],
        ])
        #expect(await place.retrieve(.network(try place.url("/1")), [.redirectHandler(Following())]).value != nil)
        #expect(await place.retrieve(.network(try place.url("/2")), [.redirectHandler(Following())]).value == nil)
        #expect(await place.requests("/forbidden") == 0)
    }

    @Test func `the tier of an image is told without waiting`() async throws {
        let (cache, told) = (place.cache, Recorder<CacheType>())
        cache.store(try Place.image(.red), forKey: "a", processorIdentifier: "p")
        #expect(await cache.imageCachedTypeAsync(forKey: "a", processorIdentifier: "p") == .memory)
        #expect(await cache.imageCachedTypeAsync(forKey: "a") == .none)
        cache.imageCachedTypeAsync(forKey: "a", processorIdentifier: "p", callbackQueue: .untouch) { told.add($0) }
        await told.until(count: 1)
        #expect(told.all == [.memory])
        #expect(cache.hash(forKey: "a") != cache.hash(forKey: "a", processorIdentifier: "p"))
    }

    @Test func `two tiers make a cache`() async throws {
        let memory = MemoryStorage.Backend<Image>(config: MemoryStorage.Config(totalCostLimit: 1 << 20))
        let cache = ImageCache(memoryStorage: memory, diskStorage: place.cache.diskStorage)
        await withCheckedContinuation { done in
            cache.storeToDisk(Data([1, 2, 3]), forKey: "a") { _ in done.resume() }
        }
        #expect(place.cache.isCached(forKey: "a") && memory.totalCacheCost() == 0)
        await withCheckedContinuation { done in cache.clearCache { done.resume() } }
        cache.backgroundCleanExpiredDiskCache()
        #expect(try await cache.diskStorageSize == 0)
    }

    @Test(arguments: [(ImageFormat.PNG, [UInt8(0x89), 0x50]), (.JPEG, [0xFF, 0xD8]), (.GIF, [0x47, 0x49])])
    @MainActor func `the builder stores in a format`(format: ImageFormat, signature: [UInt8]) async throws {
        let (cache, url, screen) = (place.cache, try place.url("/a.png"), Screen())
        await withCheckedContinuation { done in
            KF.url(url).targetCache(cache).serialize(as: format).blur(radius: 1).waitForCache()
                .onSuccess { _ in done.resume() }.set(to: screen.view)
        }
        let identifier = BlurImageProcessor(blurRadius: 1).identifier
        let path = cache.cachePath(forKey: url.cacheKey, processorIdentifier: identifier)
        #expect(try Data(contentsOf: URL(filePath: path)).starts(with: signature))
    }

    @Test @MainActor func `names of the manual`() async throws {
        let (url, screen) = (try place.url("/a.png"), Screen())
        KingfisherManager.shared.cache = try SharedCache.cache.get()
        screen.view.kf.set(with: url)
        await until { screen.view.image != nil }
        #expect(KingfisherParsedOptionsInfo([.lowDataSource(.network(url))]).lowDataModeSource?.url == url)
        #expect(ImageProgressive.default.isBlur && ImageProgressive.default.scanInterval == 0)
        #expect(ImagePrefetcher(urls: [url]).description.contains(url.absoluteString))
        let file = URL(filePath: "/a.png")
        #expect(LocalFileImageDataProvider(fileURL: file, cacheKey: "k").fileURL == file)
        #expect(Base64ImageDataProvider(base64String: "AA==", cacheKey: "k").base64String == "AA==")
    }

    @Test func `a prefetcher that is stopped at once ends every item`() async throws {
        let lists = Recorder<[Int]>()
        let prefetcher = ImagePrefetcher(
            urls: try (0..<20).map { try place.url("/\($0)") }, options: place.own,
            completionHandler: { lists.add([$0.count, $1.count + $2.count]) })
        prefetcher.start()
        prefetcher.stop()
        await lists.until(count: 1)
        #expect(lists.all == [[0, 20]])
    }
}
