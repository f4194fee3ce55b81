import FaultServer
import Foundation
import KingfisherCompatibility
import TestSupport
import Testing

/// What a cache, a downloader, processors and a prefetcher promise.
@Suite(.timeLimit(.minutes(1))) struct CacheTests {
    private func place(_ scripts: [String: [FaultScript]] = [:]) async throws -> Place { try await Place(scripts) }

    private func stored(_ cache: ImageCache, _ image: Image, _ key: String) async -> CacheStoreResult {
        await withCheckedContinuation { continuation in
            cache.store(image, forKey: key) { continuation.resume(returning: $0) }
        }
    }

    @Test func `a folder that cannot be made is reported by the first store`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("file")
        let blocked = folder.url.appending(path: "file/below")
        #expect(throws: KingfisherError.self) { try ImageCache(name: "a", cacheDirectoryURL: blocked) }
        let cache = ImageCache(name: "a/slash is no name of a folder")
        let image = try Place.image(.red)
        let result = await stored(cache, image, "k")
        guard case .failure(let error) = result.diskCacheResult else {
            Issue.record("stored")
            return
        }
        #expect(error.errorCode == 3005)
        #expect(cache.imageCachedType(forKey: "k") == .memory)
    }

    @Test func `operations on the disk keep the order of their calls`() async throws {
        let place = try await place()
        let image = try Place.image(.red)
        for number in 0..<20 {
            place.cache.store(image, forKey: "\(number)")
            place.cache.clearMemoryCache()
            if number % 2 == 0 { place.cache.removeImage(forKey: "\(number)", callbackQueue: .untouch) }
        }
        _ = try await place.cache.diskStorageSize
        #expect((0..<20).map { place.cache.isCached(forKey: "\($0)") } == (0..<20).map { $0 % 2 == 1 })
    }

    @Test func `a smaller limit in memory evicts at once, a lifetime ends at its time`() async throws {
        let cache = try await place().cache
        let image = try Place.image(.red)
        for key in ["a", "b", "c"] { cache.store(image, forKey: key, toDisk: false) }
        cache.memoryStorage.config.totalCostLimit = image.cost
        #expect(["a", "b", "c"].filter { cache.isCached(forKey: $0) } == ["c"])
        #expect(cache.memoryStorageCacheCost == image.cost)
        cache.memoryStorage.config.expiration = .expired
        cache.store(image, forKey: "d", toDisk: false)
        cache.cleanExpiredMemoryCache()
        #expect(!cache.isCached(forKey: "d"))
    }

    @Test func `a smaller limit on disk applies to the next store`() async throws {
        let cache = try await place().cache
        cache.diskStorage.config.sizeLimit = 1
        guard case .failure = await stored(cache, try Place.image(.red), "a").diskCacheResult else {
            Issue.record("stored")
            return
        }
        cache.diskStorage.config.sizeLimit = 0
        guard case .success = await stored(cache, try Place.image(.red), "a").diskCacheResult else {
            Issue.record("not stored")
            return
        }
    }

    @Test func `a miss is no error`() async throws {
        let cache = try await place().cache
        #expect(try await cache.retrieveImage(forKey: "none").cacheType == .none)
        #expect(try await cache.retrieveImageInDiskCache(forKey: "none") == nil)
        #expect(cache.cacheFileURLIfOnDisk(forKey: "none") == nil && !cache.cachePath(forKey: "none").isEmpty)
    }

    @Test func `what was missing is asked for again`() async throws {
        let place = try await place(["/a": [.status(404), .picture(Array(try Place.picture(.red)))]])
        let url = try place.url("/a")
        #expect(await place.retrieve(.network(url)).value == nil)
        #expect(await place.retrieve(.network(url)).value != nil)
    }

    /// Stores turned bytes, which no decoder reads.
    private struct Turning: CacheSerializer {
        let calls = Recorder<String>()

        func data(with image: Image, original: Data?) -> Data? {
            calls.add("data \(original != nil)")
            return original.map { Data($0.reversed()) }
        }

        func image(with data: Data, options: KingfisherParsedOptionsInfo) -> Image? {
            calls.add("image \(options.scaleFactor)")
            return Image(data: Data(data.reversed()))
        }
    }

    @Test func `a serializer of the program writes and reads every image, also without a processor`() async throws {
        let place = try await place()
        let (url, serializer) = (try place.url("/a.png"), Turning())
        let options: KingfisherOptionsInfo = [.cacheSerializer(serializer), .waitForCache]
        _ = try await place.retrieve(.network(url), options).get()
        place.cache.clearMemoryCache()
        #expect(place.cache.imageCachedType(forKey: url.cacheKey) == .disk)
        #expect(try await place.retrieve(.network(url), options).get().cacheType == .disk)
        place.cache.clearMemoryCache()
        let found = try await place.cache.retrieveImage(forKey: url.cacheKey, options: options)
        #expect(found.image?.size.width == 60 && found.cacheType == .disk)
        #expect(serializer.calls.all == ["data true", "image 1.0", "image 1.0"])
        #expect(await place.requests("/a.png") == 1)
    }

    @Test func `a serializer of one format converts files`() async throws {
        let place = try await place()
        let url = try place.url("/a.png")
        _ = await place.retrieve(
            .network(url), [.cacheSerializer(FormatIndicatedCacheSerializer.jpeg), .waitForCache])
        let file = try #require(place.cache.cacheFileURLIfOnDisk(forKey: url.cacheKey))
        #expect(try Data(contentsOf: file).starts(with: [0xFF, 0xD8]))
    }

    // MARK: - Downloader

    private final class Observer: ImageDownloaderDelegate, Sendable {
        let calls = Recorder<String>()
        let accepts404: Bool
        let changes: Data?

        init(accepts404: Bool = false, changes: Data? = nil) { (self.accepts404, self.changes) = (accepts404, changes) }

        func imageDownloader(
            _ downloader: ImageDownloader, willDownloadImageForURL url: URL, with request: URLRequest?
        ) { calls.add("will \(request?.url == url)") }
        func imageDownloader(
            _ downloader: ImageDownloader, didFinishDownloadingImageForURL url: URL, with response: URLResponse?,
            error: (any Error)?
        ) { calls.add("did \((response as? HTTPURLResponse)?.statusCode ?? 0) \(error == nil)") }
        func imageDownloader(
            _ downloader: ImageDownloader, didDownload image: Image, for url: URL, with response: URLResponse?
        ) { calls.add("image") }
        func isValidStatusCode(_ code: Int, for downloader: ImageDownloader) -> Bool {
            code == 200 || accepts404 && code == 404
        }
        func imageDownloader(_ downloader: ImageDownloader, didDownload data: Data, for url: URL) -> Data? {
            changes ?? data
        }
    }

    @Test func `the delegate sees a transfer and may change it`() async throws {
        let place = try await place()
        let observer = Observer(accepts404: true, changes: try Place.picture(.blue))
        place.downloader.delegate = observer
        let result = try await place.downloader.downloadImage(with: try place.url("/missing"))
        #expect(result.image.pixels[0, 0] == .blue && place.downloader.delegate === observer)
        #expect(observer.calls.all == ["will true", "did 404 true", "image"])
    }

    @Test(arguments: [TimeInterval.nan, .infinity, -1, 1e300])
    func `numbers that are no times do not stop the program`(time: TimeInterval) async throws {
        let place = try await place()
        place.cache.memoryStorage.config.cleanInterval = time
        place.cache.memoryStorage.config.expiration = .seconds(time)
        place.downloader.downloadTimeout = time == -1 || time.isNaN ? 15 : time
        var options: KingfisherOptionsInfo = [
            .scaleFactor(CGFloat(time)), .downloadPriority(Float(time)),
            .progressiveJPEG(ImageProgressive(isBlur: true, isFastestScan: true, scanInterval: time)),
            .processor(DownsamplingImageProcessor(size: CGSize(width: 10, height: 10))),
        ]
        #expect(await place.retrieve(.network(try place.url("/a.png")), options).value != nil)
        options.append(
            .retryStrategy(DelayRetryStrategy(maxRetryCount: 1, retryInterval: .custom { _ in min(-time, 0) })))
        #expect(await place.retrieve(.network(try place.url("/missing")), options).error?.errorCode == 2002)
    }

    @Test func `cancelAll and cancel(url:) end transfers as cancelled`() async throws {
        let gate = FaultGate()
        let place = try await place(["/a": [FaultScript([.wait(gate)])], "/b": [FaultScript([.wait(gate)])]])
        let (a, b, ended) = (try place.url("/a"), try place.url("/b"), Recorder<String>())
        place.downloader.downloadImage(with: a) { ended.add("a \($0.error?.isTaskCancelled == true)") }
        place.manager.retrieveImage(with: b) { ended.add("b \($0.error?.isTaskCancelled == true)") }
        await place.server.arrival(of: "/a")
        await place.server.arrival(of: "/b")
        place.downloader.cancel(url: a)
        await ended.until(count: 1)
        place.downloader.cancelAll()
        await ended.until(count: 2)
        #expect(ended.all == ["a true", "b true"])
        gate.open()
    }

    /// Waits before it answers, and hears of the task.
    private struct Waiting: AsyncImageDownloadRequestModifier {
        let tasks = Recorder<Bool>()

        var onDownloadTaskStarted: (@Sendable (DownloadTask?) -> Void)? { { tasks.add($0 != nil) } }

        func modified(for request: URLRequest) async -> URLRequest? {
            await Task.yield()
            var request = request
            request.url = request.url?.deletingLastPathComponent().appending(path: "other.png")
            return request
        }
    }

    @Test func `a modifier may wait, change the address and hear of the task`() async throws {
        let place = try await place()
        let (url, modifier) = (try place.url("/a.png"), Waiting())
        #expect(await place.retrieve(.network(url), [.requestModifier(modifier)]).value != nil)
        #expect(await place.requests("/a.png") == 0)
        #expect(await place.requests("/other.png") == 1)
        #expect(modifier.tasks.all == [true] && place.cache.isCached(forKey: url.cacheKey))
    }

    private final class Responder: AuthenticationChallengeResponsible, Sendable {
        let asked = Recorder<String>()
        let answer: (URLSession.AuthChallengeDisposition, String)

        init(_ answer: (URLSession.AuthChallengeDisposition, String)) { self.answer = answer }

        func downloader(
            _ downloader: ImageDownloader, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            asked.add("\(challenge.protectionSpace.host) \(challenge.protectionSpace.realm ?? "")")
            let credential = URLCredential(user: "ann", password: answer.1, persistence: .forSession)
            return (answer.0, credential)
        }
    }

    @Test func `a challenge is answered with the responder's credential`() async throws {
        let place = try await place()
        let (responder, picture) = (Responder((.useCredential, "secret")), Array(try Place.picture(.red)))
        let server = try await FaultServer.start { request, _ in
            request.values(of: "Authorization") == ["Basic YW5uOnNlY3JldA=="]
                ? .picture(picture) : .status(401, headers: [("WWW-Authenticate", "Basic realm=\"pictures\"")])
        }
        place.downloader.authenticationChallengeResponder = responder
        let url = try #require(URL(string: server.url("/a.png")))
        #expect(try await place.downloader.downloadImage(with: url).image.size.width == 60)
        #expect(responder.asked.all == ["127.0.0.1 pictures"])
        let refusing = Responder((.cancelAuthenticationChallenge, ""))
        place.downloader.authenticationChallengeResponder = refusing
        await #expect(throws: KingfisherError.self) { try await place.downloader.downloadImage(with: url) }
    }

    @Test func `a certificate is trusted if the responder or the settings say so`() async throws {
        let place = try await place()
        let picture = Array(try Place.picture(.red))
        let identity = try TestIdentity()
        let server = try await FaultServer.start(tls: identity.serverTLS()) { _, _ in .picture(picture) }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/a.png"))
        await #expect(throws: KingfisherError.self) { try await place.downloader.downloadImage(with: url) }
        let responder = Responder((.useCredential, ""))
        place.downloader.authenticationChallengeResponder = responder
        #expect(try await place.downloader.downloadImage(with: url).image.size.width == 60)
        place.downloader.authenticationChallengeResponder = nil
        place.downloader.trustedHosts = ["127.0.0.1"]
        #expect(try await place.downloader.downloadImage(with: url).image.size.width == 60)
        await server.stop()
    }

    @Test func `a redirect handler may stop the load`() async throws {
        let place = try await place(["/r": [.respond(302, headers: [("Location", "/a.png")])]])
        let url = try place.url("/r")
        #expect(await place.retrieve(.network(url)).value != nil)
        let stop = AnyRedirectHandler { task, response, request, completion in
            completion(
                response.statusCode == 302 && request.url?.path == "/a.png" && task.originalURL == url ? nil : request)
        }
        let failure = await place.retrieve(.network(url), [.redirectHandler(stop), .forceRefresh]).error
        #expect(failure?.errorCode == 2003)
    }

    // MARK: - Processors

    private struct Marking: ImageProcessor {
        let identifier = "marking"
        let seen = Recorder<String>()

        func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> Image? {
            switch item {
            case .image(let image):
                seen.add("image \(options.scaleFactor)")
                return image
            case .data(let data):
                seen.add("data \(options.scaleFactor)")
                return Image(data: data)
            }
        }
    }

    @Test func `a processor gets bytes as the first step and an image later`() async throws {
        let place = try await place()
        let (first, later) = (Marking(), Marking())
        _ = await place.retrieve(.network(try place.url("/a.png")), [.processor(first), .scaleFactor(2)])
        _ = await place.retrieve(
            .network(try place.url("/b.png")), [.processor(BlackWhiteProcessor() |> later)])
        #expect(first.seen.all == ["data 2.0"] && later.seen.all == ["image 1.0"])
    }

    private struct Refusing: ImageProcessor {
        let identifier = "refusing"

        func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> Image? { nil }
    }

    @Test func `a processor without a result is an error that names it`() async throws {
        let place = try await place()
        let failure = await place.retrieve(.network(try place.url("/a.png")), [.processor(Refusing())]).error
        guard case .processorError(.processingFailed(let processor, _)) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(processor.identifier == "refusing" && failure?.errorCode == 4001)
    }

    @Test func `identifiers are joined, and a default processor is left out`() {
        let (blur, round) = (BlurImageProcessor(blurRadius: 2), RoundCornerImageProcessor(cornerRadius: 3))
        #expect((blur |> round).identifier == "\(blur.identifier)|>\(round.identifier)")
        #expect((DefaultImageProcessor.default |> blur) == blur)
        #expect(blur.append(another: DefaultImageProcessor.default).identifier == blur.identifier)
        #expect(BlurImageProcessor(blurRadius: 2).identifier != BlurImageProcessor(blurRadius: 2.5).identifier)
    }

    @Test func `downsampling covers the longer side of its size`() throws {
        let (image, options) = (try Place.image(.red, 80, 40), KingfisherParsedOptionsInfo(nil))
        let processor = DownsamplingImageProcessor(size: CGSize(width: 20, height: 10))
        #expect(processor.process(item: .image(image), options: options)?.size == PixelSize(width: 20, height: 10))
        let narrow = DownsamplingImageProcessor(size: CGSize(width: 5, height: 20))
        #expect(narrow.process(item: .image(image), options: options)?.size == PixelSize(width: 20, height: 10))
    }

    @Test func `a thumbnail is no larger than asked`() async throws {
        let place = try await place()
        let file = URL(filePath: try place.folder.write("a.png", try Place.picture(.green)))
        let provider = ThumbnailImageDataProvider(url: file, maxPixelSize: 30)
        #expect(try await place.retrieve(.provider(provider)).get().image.size == PixelSize(width: 30, height: 20))
        let text = URL(filePath: try place.folder.write("a.txt", "text".utf8))
        await #expect(throws: KingfisherError.self) {
            try await ThumbnailImageDataProvider(url: text, maxPixelSize: 30).data()
        }
    }

    /// The program ffmpeg makes the video, too.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")), arguments: [true, false])
    func `a frame of a video, from a file or from the web`(isFile: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder / "a.avi")
        let ffmpeg = Process()
        ffmpeg.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        ffmpeg.arguments =
            "-nostdin -loglevel error -f lavfi -i color=c=red:s=64x48:d=2 -c:v mpeg4".split(separator: " ")
            .map(String.init) + [file.path]
        try ffmpeg.run()
        ffmpeg.waitUntilExit()
        let place = try await place(["/a.avi": [.picture(Array(try Data(contentsOf: file)), type: "video/avi")]])
        let provider = AVAssetImageDataProvider(assetURL: isFile ? file : try place.url("/a.avi"), seconds: 1.0)
        let value = try await place.retrieve(.provider(provider)).get()
        #expect(value.image.size == PixelSize(width: 64, height: 48))
        #expect(provider.contentURL == provider.assetURL && place.cache.isCached(forKey: provider.cacheKey))
    }

    // MARK: - Prefetcher

    @Test func `a prefetcher tells what was skipped, failed and completed`() async throws {
        let place = try await place()
        let urls = try ["/1.png", "/missing", "/2.png"].map { try place.url($0) }
        _ = await place.retrieve(.network(urls[0]))
        place.cache.clearMemoryCache()
        let (steps, lists) = (Recorder<Int>(), Recorder<[[URL]]>())
        let prefetcher = ImagePrefetcher(
            urls: urls, options: place.own,
            progressBlock: { steps.add($0.count + $1.count + $2.count) },
            completionHandler: { lists.add([$0, $1, $2].map { $0.map(\.downloadURL) }) })
        prefetcher.start()
        await lists.until(count: 1)
        #expect(lists.all == [[[urls[0]], [urls[1]], [urls[2]]]])
        #expect(steps.all.count == 3)
    }

    @Test func `a stopped prefetcher fails what is left`() async throws {
        let gate = FaultGate()
        let place = try await place(["/slow": [FaultScript([.wait(gate)])]])
        let lists = Recorder<[Int]>()
        let prefetcher = ImagePrefetcher(
            sources: [.network(try place.url("/slow"))], options: place.own,
            completionHandler: { lists.add([$0.count, $1.count, $2.count]) })
        prefetcher.start()
        await place.server.arrival(of: "/slow")
        prefetcher.stop()
        await lists.until(count: 1)
        #expect(lists.all == [[0, 1, 0]])
        gate.open()
    }

    @Test func `a prefetcher processes and retries`() async throws {
        let place = try await place(["/a": [.status(500), .picture(Array(try Place.picture(.red)))]])
        let (url, processor, done) = (try place.url("/a"), BlackWhiteProcessor(), Recorder<Int>())
        ImagePrefetcher(
            resources: [url],
            options: place.own + [
                .processor(processor), .alsoPrefetchToMemory,
                .retryStrategy(DelayRetryStrategy(maxRetryCount: 1, retryInterval: .seconds(0))),
            ]
        ) { _, _, completed in done.add(completed.count) }.start()
        await done.until(count: 1)
        #expect(done.all == [1])
        #expect(
            place.cache.imageCachedType(forKey: url.cacheKey, processorIdentifier: processor.identifier) == .memory)
    }
}
