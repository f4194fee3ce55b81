import Foundation
import TerminalImageView

@MainActor
func kingfisherCache(_ checks: Checks) async {
    await lookUps(checks)
    await limits(checks)
    await removal(checks)
    await downloads(checks)
    await serializers(checks)
    await providers(checks)
    await progress(checks)
}

/// A58 to A63: keys and look-ups.
@MainActor
private func lookUps(_ checks: Checks) async {
    await checks.row("A58", "ImageResource(downloadURL:cacheKey:)") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a58.png"))
        _ = try await pipeline.image(for: .network(ImageResource(downloadURL: url, cacheKey: "mine")))
        let isCachedByURL = await pipeline.cache.isCached(forKey: url.cacheKey)
        return await pipeline.cache.isCached(forKey: "mine") && !isCachedByURL
    }
    await checks.row("A59", "isCached(forKey:)") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a59.png"))
        let before = await pipeline.cache.isCached(forKey: url.cacheKey)
        _ = try await pipeline.image(for: .network(url))
        return await pipeline.cache.isCached(forKey: url.cacheKey) && !before
    }
    await checks.row("A60", "imageCachedType(forKey:): memory, disk or none") {
        let (cache, key) = (try checks.cache(), "a60")
        var types = [await cache.imageCachedType(forKey: key)]
        try await cache.store(image(of: .red), forKey: key)
        types.append(await cache.imageCachedType(forKey: key))
        cache.clearMemoryCache()
        types.append(await cache.imageCachedType(forKey: key))
        return types == [.none, .memory, .disk]
    }
    await checks.row("A61", "retrieveImage(forKey:)") {
        let (cache, picture) = (try checks.cache(), image(of: .red))
        try await cache.store(picture, forKey: "a61")
        let first = try await cache.retrieveImage(forKey: "a61")
        cache.clearMemoryCache()
        let second = try await cache.retrieveImage(forKey: "a61")
        let missing = try await cache.retrieveImage(forKey: "other")
        return first == .memory(picture) && second.cacheType == .disk && second.image?.pixels == picture.pixels
            && missing == .none
    }
    await checks.row("A62", "isCached(forKey:processorIdentifier:)") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a62.png"))
        let processor = BlurImageProcessor(blurRadius: 2)
        _ = try await pipeline.image(for: .network(url), options: [.processor(processor)])
        let isOriginalCached = await pipeline.cache.isCached(forKey: url.cacheKey)
        return await pipeline.cache.isCached(forKey: url.cacheKey, processorIdentifier: processor.identifier)
            && !isOriginalCached
    }
    await checks.row("A63", "retrieveImage(forKey:) with a processor") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a63.png"))
        let processor = BlurImageProcessor(blurRadius: 2)
        let result = try await pipeline.image(for: .network(url), options: [.processor(processor), .waitForCache])
        pipeline.cache.clearMemoryCache()
        let found = try await pipeline.cache.retrieveImage(forKey: url.cacheKey, processor: processor)
        return found.cacheType == .disk && found.image?.pixels == result.image.pixels
    }
}

/// A64 to A70: the limits of both tiers.
@MainActor
private func limits(_ checks: Checks) async {
    await checks.row("A64", "memory: totalCostLimit") {
        // A picture costs 400 bytes.
        let memory = MemoryStorage<Image>(configuration: .init(totalCostLimit: 1_000, entryShare: 1))
        let cache = ImageCache(memory: memory, disk: nil)
        for key in ["a", "b", "c"] { try await cache.store(image(of: .red), forKey: key) }
        let isOldestCached = await cache.isCached(forKey: "a")
        return memory.count == 2 && memory.totalCost == 800 && !isOldestCached
    }
    await checks.row("A65", "memory: countLimit") {
        let memory = MemoryStorage<Image>(configuration: .init(countLimit: 2))
        let cache = ImageCache(memory: memory, disk: nil)
        for key in ["a", "b", "c"] { try await cache.store(image(of: .red), forKey: key) }
        let isOldestCached = await cache.isCached(forKey: "a")
        return await cache.isCached(forKey: "c") && memory.count == 2 && !isOldestCached
    }
    await checks.row("A66", "disk: sizeLimit") {
        let cache = try ImageCache(name: "a66", in: checks.caches, configuration: .init(sizeLimit: 500_000))
        for number in UInt8(0)..<8 {
            try await cache.storeToDisk(Data(repeating: number, count: 100_000), forKey: "\(number)")
        }
        let (isOldestCached, size) = (await cache.isCached(forKey: "0"), try await cache.calculateDiskStorageSize())
        return await cache.isCached(forKey: "7") && size <= 500_000 && !isOldestCached
    }
    await checks.row("A67", "memory: expiration") {
        let long = ImageCache(memory: MemoryStorage(configuration: .init(expiration: .seconds(600))), disk: nil)
        let short = ImageCache(memory: MemoryStorage(configuration: .init(expiration: .seconds(0.05))), disk: nil)
        for cache in [long, short] { try await cache.store(image(of: .red), forKey: "a") }
        try await Task.sleep(for: .milliseconds(100))
        let isShortCached = await short.isCached(forKey: "a")
        return await long.isCached(forKey: "a") && !isShortCached
    }
    await checks.row("A68", "disk: expiration, such as never") {
        let long = try ImageCache(name: "a68", in: checks.caches, configuration: .init(expiration: .never))
        let short = try ImageCache(
            name: "a68-short", in: checks.caches, configuration: .init(expiration: .seconds(0.05)))
        for cache in [long, short] { try await cache.storeToDisk(Data("picture".utf8), forKey: "a") }
        try await Task.sleep(for: .milliseconds(100))
        let isShortCached = await short.isCached(forKey: "a")
        return await long.isCached(forKey: "a") && !isShortCached
    }
    await checks.row("A69", "retrieveImageInDiskCache with an extended expiration") {
        let cache = try checks.cache()
        for key in ["a", "b"] {
            try await cache.store(
                image(of: .red), forKey: key,
                options: CacheStoreOptions(memoryExpiration: .expired, diskExpiration: .seconds(0.5)))
        }
        let first = try await cache.retrieveImageInDiskCache(forKey: "a", extending: .none)
        let second = try await cache.retrieveImageInDiskCache(forKey: "b", extending: .expirationTime(.days(1)))
        await cache.flush()
        try await Task.sleep(for: .milliseconds(600))
        let isFirstCached = await cache.isCached(forKey: "a")
        return await cache.isCached(forKey: "b") && !isFirstCached && first == second && first != nil
    }
    await checks.row("A70", "memory: cleanInterval, 120 s by default") {
        let storages = [Duration.milliseconds(100), .seconds(120)].map {
            MemoryStorage<Image>(configuration: .init(expiration: .seconds(0.05), cleanInterval: $0))
        }
        for storage in storages { storage.store(image(of: .red), forKey: "a", cost: 400) }
        try await Task.sleep(for: .milliseconds(150))
        for storage in storages { _ = storage.isCached(forKey: "b") }
        return storages.map(\.count) == [0, 1]
            && MemoryStorage<Image>().configuration.cleanInterval == .seconds(120)
    }
}

/// A71 to A77: removal, sizes, names.
@MainActor
private func removal(_ checks: Checks) async {
    await checks.row("A71", "removeImage(forKey:)") {
        let cache = try checks.cache()
        for key in ["a", "b"] { try await cache.store(image(of: .red), forKey: key) }
        try await cache.removeImage(forKey: "a")
        let isRemoved = await !cache.isCached(forKey: "a")
        return await cache.isCached(forKey: "b") && isRemoved
    }
    await checks.row("A72", "removeImage(forKey:processorIdentifier:fromMemory:fromDisk:)") {
        let cache = try checks.cache()
        try await cache.store(image(of: .red), forKey: "a", processorIdentifier: "bw")
        try await cache.removeImage(forKey: "a", processorIdentifier: "bw", fromMemory: true, fromDisk: false)
        let type = await cache.imageCachedType(forKey: "a", processorIdentifier: "bw")
        try await cache.removeImage(forKey: "a", processorIdentifier: "bw", fromMemory: false, fromDisk: true)
        return await !cache.isCached(forKey: "a", processorIdentifier: "bw") && type == .disk
    }
    await checks.row("A73", "clearMemoryCache, clearDiskCache") {
        let cache = try checks.cache()
        try await cache.store(image(of: .red), forKey: "a")
        cache.clearMemoryCache()
        let type = await cache.imageCachedType(forKey: "a")
        try await cache.clearDiskCache()
        return await cache.imageCachedType(forKey: "a") == .none && type == .disk
    }
    await checks.row("A74", "cleanExpiredMemoryCache, cleanExpiredDiskCache") {
        let cache = try checks.cache()
        let short = CacheStoreOptions(memoryExpiration: .seconds(0.05), diskExpiration: .seconds(0.05))
        try await cache.store(image(of: .red), forKey: "a")
        try await cache.store(image(of: .blue), forKey: "b", options: short)
        try await Task.sleep(for: .milliseconds(100))
        let removed = [cache.cleanExpiredMemoryCache(), try await cache.cleanExpiredDiskCache()]
        return await cache.isCached(forKey: "a") && removed == [1, 1]
    }
    await checks.row("A75", "calculateDiskStorageSize") {
        let cache = try checks.cache()
        try await cache.storeToDisk(Data(repeating: 7, count: 50_000), forKey: "a")
        let size = try await cache.calculateDiskStorageSize()
        try await cache.clearDiskCache()
        return try await cache.calculateDiskStorageSize() == 0 && size >= 50_000
    }
    await checks.row("A76", "ImageCache(name:), which throws instead of a crash") {
        let (one, other) = (try checks.cache("a76"), try checks.cache("a76-other"))
        try await one.storeToDisk(Data("picture".utf8), forKey: "a")
        let (isInSame, isInOther) = (await checks.isCached("a", in: "a76"), await other.isCached(forKey: "a"))
        return isInSame && !isInOther && (try? checks.cache("")) == nil
    }
    await checks.row("A77", "instead of ImageCache.default: make a cache and hand it on") {
        let (cache, source) = (try checks.cache(), try checks.source("/pic/a77.png"))
        _ = try await ImagePipeline(cache: cache).image(for: source)
        return try await ImagePipeline(cache: cache).image(for: source).cacheType == .memory
    }
}

/// A78 to A85: downloads.
@MainActor
private func downloads(_ checks: Checks) async {
    await checks.row("A78", "instead of downloadImage(with:): a downloader returns the bytes") {
        let request = DownloadRequest(url: try checks.url("/pic/a78.png"))
        let download = try await ImageDownloader().download(request) { _ in }
        return download.data.starts(with: pngSignature) && download.metrics.statusCode == 200
    }
    await checks.row("A79", "cancel() of the task, isTaskCancelled") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/slow/a79.png"))
        let task = Task { await imageError { try await pipeline.image(for: source) } }
        guard try await eventually({ try await checks.requests(for: "/slow/a79.png") == 1 }) else { return false }
        task.cancel()
        return await task.value?.isTaskCancelled == true
    }
    await checks.row("A80", "cancel() after the end does nothing") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/a80.png"))
        let task = Task { try await pipeline.image(for: source) }
        let result = try await task.value
        task.cancel()
        return try await task.value.image == result.image && result.image.size == pixels(300, 200)
    }
    await checks.row("A81", "cancelDownloadTask(); an older result is not shown") {
        let view = try checks.view(on: Drawings())
        let slow = try checks.source("/slow/a81.png")
        let older = Task { await imageError { try await view.setImage(with: slow) } }
        guard try await eventually({ view.isLoading }) else { return false }
        let newer = try await view.setImage(with: checks.source("/pic/a81.png"))
        let (isOlderEnded, isNewerShown) = (await older.value?.isNotCurrentTask == true, view.image == newer.image)
        let cancelled = Task { await imageError { try await view.setImage(with: slow) } }
        guard try await eventually({ view.isLoading }) else { return false }
        view.cancelDownloadTask()
        return await cancelled.value?.isTaskCancelled == true && isOlderEnded && isNewerShown
    }
    await checks.row("A82", "a responder to authentication challenges, or the default handling") {
        let source = try checks.source("/auth/a82.png")
        let credential = Credential.basic(user: "ada", password: "secret")
        let pipelines = try [ChallengeAnswer.performDefault, .credential(credential)].map { reply in
            var configuration = DownloaderConfiguration()
            configuration.challengeResponder = Responder(reply: reply)
            return try checks.pipeline(ImageDownloader(configuration: configuration))
        }
        let error = await imageError { try await pipelines[0].image(for: source) }
        let result = try await pipelines[1].image(for: source)
        return error?.isInvalidResponseStatusCode(401) == true && result.image.size == pixels(300, 200)
    }
    await checks.row("A83", "downloadTimeout, here one of five limits") {
        var limits = DownloadLimits()
        limits.total = .milliseconds(100)
        let pipeline = try checks.pipeline(ImageDownloader(limits: limits))
        let error = await imageError { try await pipeline.image(for: checks.source("/slow/a83.png")) }
        return error == .response(.timedOut(.total))
    }
    await checks.row("A84", "the timeout of one download, set by a request modifier") {
        let pipeline = try checks.pipeline()
        let modifier = AnyRequestModifier { request in
            var request = request
            request.timeout = .milliseconds(100)
            return request
        }
        let error = await imageError {
            try await pipeline.image(for: checks.source("/slow/a84.png"), options: [.requestModifier(modifier)])
        }
        return error == .response(.timedOut(.total))
    }
    await checks.row("A85", "AnyRequestModifier { }, nil for no request") {
        let pipeline = try checks.pipeline()
        let error = await imageError {
            try await pipeline.image(
                for: checks.source("/pic/a85.png"), options: [.requestModifier(AnyRequestModifier { _ in nil })])
        }
        return try await checks.requests(for: "/pic/a85.png") == 0 && error == .request(.emptyRequest)
    }
}

/// A86 to A89: serializers and prefetches.
@MainActor
private func serializers(_ checks: Checks) async {
    await checks.row("A86", "the default serializer: PNG, JPEG, GIF") {
        let (pipeline, processor) = (try checks.pipeline(), DownsamplingImageProcessor(size: pixels(70, 70)))
        var beginnings: [Data] = []
        for path in ["/pic/a86.png", "/photo.jpg"] {
            let url = try checks.url(path)
            _ = try await pipeline.image(for: .network(url), options: [.processor(processor), .waitForCache])
            beginnings.append(await pipeline.cache.file(of: url.cacheKey, processor) ?? Data())
        }
        let animation = try await pipeline.image(for: .provider(smallAnimation)).image
        return beginnings[0].starts(with: pngSignature) && beginnings[1].starts(with: [0xFF, 0xD8])
            && DefaultCacheSerializer().format(for: animation) == .gif
    }
    await checks.row("A87", "own serializers, such as for WebP") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a87.png"))
        let options: [ImageOptionsItem] = [
            .processor(.blackWhite), .cacheSerializer(WebPSerializer()), .waitForCache,
        ]
        _ = try await pipeline.image(for: .network(url), options: options)
        pipeline.cache.clearMemoryCache()
        let result = try await pipeline.image(for: .network(url), options: options)
        let file = await pipeline.cache.file(of: url.cacheKey, BlackWhiteProcessor())
        return file?.starts(with: Data("RIFF".utf8)) == true && result.cacheType == .disk
    }
    await checks.row("A88", "ImagePrefetcher with skipped, failed and completed sources") {
        let pipeline = try checks.pipeline()
        let sources = try ["/pic/a88.png", "/missing", "/pic/a88-new.png"].map { try checks.source($0) }
        _ = try await pipeline.image(for: sources[0])
        let prefetcher = ImagePrefetcher(sources: sources, pipeline: pipeline)
        for await _ in await prefetcher.start() {}
        let results = await prefetcher.results
        return results.skipped.map(\.id) == [0] && results.failed.map(\.item.id) == [1]
            && results.completed.map(\.id) == [2]
    }
    await checks.row("A89", "start() of a prefetcher answers the events") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a89.png"))
        var finished: [Int] = []
        for await event in await ImagePrefetcher(sources: [.network(url)], pipeline: pipeline).start() {
            if case .finished(let id, _) = event { finished.append(id) }
        }
        return await pipeline.cache.isCached(forKey: url.cacheKey) && finished == [0]
    }
}

/// A90 to A93: providers.
@MainActor
private func providers(_ checks: Checks) async {
    await checks.row("A90", "LocalFileImageDataProvider(fileURL:)") {
        let file = try checks.file("a90.png", .red)
        let provider = LocalFileImageDataProvider(fileURL: file)
        let result = try await checks.pipeline().image(for: .provider(provider))
        return result.image.pixels[0, 0] == .red && provider.cacheKey.hasPrefix(file.absoluteString)
    }
    await checks.row("A91", "Base64ImageDataProvider(base64String:cacheKey:), which throws for other text") {
        let (pipeline, bad) = (try checks.pipeline(), Base64ImageDataProvider(base64String: "?", cacheKey: "bad"))
        let result = try await pipeline.image(for: .provider(smallAnimation))
        let error = await imageError { try await pipeline.image(for: .provider(bad)) }
        guard case .imageSetting(.dataProvider) = error else { return false }
        return result.image.pixels[0, 0] == .red && smallAnimation.cacheKey == "animation"
    }
    await checks.row("A92", "a frame of a local video, by the program ffmpeg") {
        let frame = try checks.file("a92.png", .blue)
        let provider = VideoFrameImageDataProvider(
            frame, seconds: 1.5, executable: try checks.program("a92", "-ss 1.500", frame))
        let result = try await checks.pipeline().image(for: .provider(provider))
        return result.image.pixels[0, 0] == .blue && provider.cacheKey.hasSuffix("#frame-1.5")
    }
    await checks.row("A93", "own providers") {
        let pipeline = try checks.pipeline()
        let result = try await pipeline.image(for: .provider(ColorProvider(color: .cyan)))
        return await pipeline.cache.isCached(forKey: "a colour") && result.image.pixels[0, 0] == .cyan
    }
}

/// A94 to A99: indicators, progress, retries.
@MainActor
private func progress(_ checks: Checks) async {
    await checks.row("A94", "an indicator of an image file, such as a GIF") {
        let indicator = try await PictureIndicator(imageData: smallAnimation.data())
        let screen = Drawings()
        let view = try checks.view(on: screen, indicator: indicator)
        try await view.setImage(with: checks.source("/drip/a94.png"))
        return indicator.frames.count == 2 && indicator.interval == .milliseconds(100) && screen.pictures > 1
    }
    await checks.row("A95", "own indicators") {
        let screen = Drawings()
        let view = try checks.view(on: screen, indicator: CountingIndicator())
        try await view.setImage(with: checks.source("/drip/a95.png"))
        return screen.contains(" bytes so far") && screen.pictures == 1
    }
    await checks.row("A96", "received and total bytes, percentage") {
        let (pipeline, events) = (try checks.pipeline(), Events())
        _ = try await pipeline.image(for: checks.source("/drip/a96.png")) { events.add($0) }
        guard let first = events.progress.first, let last = events.progress.last, let total = last.total else {
            return false
        }
        let context = IndicatorContext(elapsed: .zero, received: last.received, total: total)
        return first.received < total && last.received == total && context.percentage == 100
    }
    await checks.row("A97", "progress without a known length, too") {
        let (pipeline, events) = (try checks.pipeline(), Events())
        _ = try await pipeline.image(for: .provider(ColorProvider(color: .cyan))) { events.add($0) }
        return events.progress == [DownloadProgress(received: 10, total: nil)]
    }
    await checks.row("A98", "DelayRetryStrategy(maxRetryCount: 5, retryInterval: .seconds(3))") {
        let strategy = DelayRetryStrategy(maxRetryCount: 5, retryInterval: .seconds(3))
        let policy = DelaysPolicy(strategy.retryInterval, maxRetryCount: strategy.maxRetryCount)
        return decisions(of: policy) == Array(repeating: .retry(after: .seconds(3)), count: 5) + [.giveUp]
    }
    await checks.row("A99", "retryInterval: .accumulated(3) waits for 3, 6, 9 … s") {
        let strategy = DelayRetryStrategy(maxRetryCount: 5, retryInterval: .accumulated(3))
        let policy = DelaysPolicy(strategy.retryInterval, maxRetryCount: strategy.maxRetryCount)
        let delays = [3, 6, 9, 12, 15].map { RetryDecision.retry(after: .seconds($0)) }
        return decisions(of: policy) == delays + [.giveUp]
    }
}

private struct Responder: AuthenticationChallengeResponder {
    let reply: ChallengeAnswer

    func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer {
        challenge.schemes.first?.realm == "pictures" ? reply : .cancel
    }
}

private struct WebPSerializer: CacheSerializer {
    func data(for image: Image, original: Data) throws(ImageError) -> Data {
        try ImageError.wrapping { () throws(CodecError) in try ImageEncoder.encode(image, as: .webP) }
    }

    func format(for image: Image) -> ImageFormat { .webP }
}

/// Makes a picture of one colour; it reports ten bytes, and no total number.
private struct ColorProvider: ImageDataProvider {
    let color: Color
    let cacheKey = "a colour"

    func data() async throws -> Data { try PixelBuffer(size: pixels(10, 10), filledWith: color).pngData() }

    func data(onProgress: @escaping @Sendable (Int, Int?) -> Void) async throws -> Data {
        onProgress(10, nil)
        return try await data()
    }
}

private struct CountingIndicator: Indicator {
    func frame(_ context: IndicatorContext) -> PlaceholderContent { .text(["\(context.received) bytes so far"]) }
}

/// Returns the decisions after six failures.
private func decisions(of policy: some RetryPolicy) -> [RetryDecision] {
    var random = SystemRandomNumberGenerator()
    return (0..<6).map { policy.decision(after: AttemptFailure(index: $0, error: CancellationError()), using: &random) }
}

extension Checks {
    fileprivate var caches: CacheFolder {
        CacheFolder(path: folder.appending(path: "caches").path(percentEncoded: false))
    }

    fileprivate func isCached(_ key: String, in name: String) async -> Bool {
        await (try? cache(name))?.isCached(forKey: key) == true
    }

    /// Writes a program that prints a file if its arguments contain a text.
    fileprivate func program(_ name: String, _ argument: String, _ file: URL) throws -> String {
        let url = folder.appending(path: name)
        let text = """
            #!/bin/sh
            case "$*" in *"\(argument)"*) exec cat '\(file.path(percentEncoded: false))';; esac
            exit 1
            """
        try Data(text.utf8).write(to: url)
        let path = url.path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }
}

// MARK: - Shared by the rows of Kingfisher

extension Checks {
    func source(_ path: String) throws -> Source { .network(try url(path)) }

    func pipeline(_ downloader: ImageDownloader) throws -> ImagePipeline {
        ImagePipeline(cache: try cache(), downloader: downloader)
    }

    /// Returns a view of 200×100 pixels.
    func view(on screen: Drawings, indicator: any Indicator = NoIndicator()) throws -> TerminalImageView {
        TerminalImageView(
            in: Rect(column: 0, row: 0, columns: 20, rows: 5), encoder: PictureEncoder(protocol: .blocks(.truecolor)),
            pipeline: try pipeline(), indicator: indicator
        ) { screen.add($0) }
    }

    /// Returns a picture before and after a processor.
    func processed(
        _ name: String, by processor: any ImageProcessor
    ) async throws -> (before: PixelBuffer, after: PixelBuffer) {
        let (pipeline, source) = (try pipeline(), try source("/pic/\(name).png"))
        let before = try await pipeline.image(for: source).image.pixels
        return (before, try await pipeline.image(for: source, options: [.processor(processor)]).image.pixels)
    }

    /// Writes a picture file of one colour.
    func file(_ name: String, _ color: Color) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: name)
        try image(of: color).pixels.pngData().write(to: url)
        return url
    }
}

/// Returns a picture of 10×10 pixels.
func image(of color: Color) -> Image {
    let pixels = PixelBuffer(size: PixelSize(width: 10, height: 10), filledWith: color)
    return Image(pixels: pixels, originalSize: pixels.size, format: .png, frameCount: 1, byteCount: 0)
}

extension ImageCache {
    /// Returns the file of an entry.
    func file(of key: String, _ processor: any ImageProcessor = DefaultImageProcessor()) async -> Data? {
        guard let path = await cachePath(forKey: key, processorIdentifier: processor.identifier) else { return nil }
        return FileManager.default.contents(atPath: path)
    }
}
