import Foundation
import TerminalImageView

@MainActor
func kingfisher(_ checks: Checks) async {
    await views(checks)
    await caches(checks)
    await delivery(checks)
    await expirations(checks)
    await processors(checks)
    await kingfisherCache(checks)
}

/// A1 to A6: a view, resources, options, results.
@MainActor
private func views(_ checks: Checks) async {
    await checks.row("A1", "setImage(with:placeholder:options:) on a view") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        let result = try await view.setImage(
            with: checks.source("/pic/a1.png"), placeholder: TextPlaceholder(), options: [.processor(.blur(2))])
        return view.image == result.image && result.image.size == pixels(150, 100) && screen.pictures == 1
    }
    await checks.row("A2", "a URL is a resource") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a2.png"))
        let first = try await pipeline.image(for: url)
        let second = try await pipeline.image(for: Source(url))
        return first.cacheType == .none && second.cacheType == .memory && first.image.size == pixels(300, 200)
    }
    await checks.row("A3", "own resources have a cacheKey and a downloadURL") {
        let pipeline = try checks.pipeline()
        let avatar = Avatar(user: "ada", downloadURL: try checks.url("/pic/a3.png"))
        _ = try await pipeline.image(for: .network(avatar))
        let isCachedByURL = await pipeline.cache.isCached(forKey: avatar.downloadURL.cacheKey)
        return await pipeline.cache.isCached(forKey: "avatar-ada") && !isCachedByURL
    }
    await checks.row("A4", "own placeholders") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        try await view.setImage(with: checks.source("/drip/a4.png"), placeholder: Card())
        return screen.contains("wait for a4.png") && screen.pictures == 1
    }
    await checks.row("A5", "options are a list that adds to the defaults, a later item wins") {
        let pipeline = ImagePipeline(cache: try checks.cache(), defaultOptions: [.scaleFactor(2)])
        let result = try await pipeline.image(
            for: checks.source("/pic/a5.png"),
            options: [.processor(.resize(to: pixels(90, 90))), .processor(.resize(to: pixels(20, 10)))])
        return result.image.size == pixels(40, 20)
    }
    await checks.row("A6", "a result or a typed error instead of a completion handler") {
        let pipeline = try checks.pipeline()
        let (picture, missing) = (try checks.source("/pic/a6.png"), try checks.source("/missing"))
        do throws(ImageError) {
            _ = try await pipeline.image(for: picture)
            _ = try await pipeline.image(for: missing)
            return false
        } catch {
            return error.isInvalidResponseStatusCode(404)
        }
    }
}

/// A7 to A20: where pictures are looked for and kept.
@MainActor
private func caches(_ checks: Checks) async {
    await checks.row("A7", "targetCache") {
        let (pipeline, other, url) = (try checks.pipeline(), try checks.cache(), try checks.url("/pic/a7.png"))
        _ = try await pipeline.image(for: .network(url), options: [.targetCache(other)])
        let isInOwn = await pipeline.cache.isCached(forKey: url.cacheKey)
        return await other.isCached(forKey: url.cacheKey) && !isInOwn
    }
    await checks.row("A8", "originalCache, the target cache by default") {
        let (pipeline, key) = (try checks.pipeline(), try checks.url("/pic/a8.png").cacheKey)
        let (target, originals) = (try checks.cache(), try checks.cache())
        let source = try checks.source("/pic/a8.png")
        let options: [ImageOptionsItem] = [.targetCache(target), .processor(.blur(1)), .cacheOriginalImage]
        _ = try await pipeline.image(for: source, options: options + [.originalCache(originals)])
        let isInTargetToo = await target.isCached(forKey: key)
        _ = try await pipeline.image(for: source, options: options + [.forceRefresh])
        let isInOriginals = await originals.imageCachedType(forKey: key) == .disk
        return await target.isCached(forKey: key) && isInOriginals && !isInTargetToo
    }
    await checks.row("A9", "an original in the original cache is processed without a download") {
        let (pipeline, originals) = (try checks.pipeline(), try checks.cache())
        let source = try checks.source("/pic/a9.png")
        let options: [ImageOptionsItem] = [.originalCache(originals), .cacheOriginalImage]
        let first = try await pipeline.image(for: source, options: options + [.processor(.blur(1))])
        let second = try await pipeline.image(for: source, options: options + [.processor(.blur(3))])
        return try await checks.requests(for: "/pic/a9.png") == 1 && first.image.pixels != second.image.pixels
    }
    await checks.row("A10", "downloader") {
        let (pipeline, downloader) = (try checks.pipeline(), ImageDownloader())
        _ = try await pipeline.image(for: checks.source("/pic/a10.png"), options: [.downloader(downloader)])
        return downloader.receivedByteCount > 0
    }
    await checks.row("A11", "transition, such as flipFromBottom(0.3)") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        try await view.setImage(with: checks.source("/pic/a11.png"), options: [.transition(.flipFromBottom(0.3))])
        return screen.pictures > 1
    }
    await checks.row("A12", "no transition for pictures from a cache") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        let source = try checks.source("/pic/a12.png")
        try await view.setImage(with: source, options: [.transition(.fade(0.1))])
        let before = screen.pictures
        try await view.setImage(with: source, options: [.transition(.fade(0.1))])
        return before > 1 && screen.pictures == before + 1
    }
    await checks.row("A13", "forceTransition") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        let source = try checks.source("/pic/a13.png")
        try await view.setImage(with: source)
        try await view.setImage(with: source, options: [.transition(.fade(0.1)), .forceTransition])
        return screen.pictures > 2
    }
    await checks.row("A14", "downloadPriority, 0 to 1, 0.5 by default") {
        var limits = DownloadLimits()
        limits.concurrent = 1
        let (pipeline, order) = (try checks.pipeline(), Collected<String>())
        let options: [ImageOptionsItem] = [
            .downloader(ImageDownloader(limits: limits)), .downloadHooks(StartHooks(names: order)),
        ]
        let sources = try ["/slow/a14.png", "/pic/low.png", "/pic/high.png"].map { try checks.source($0) }
        let blocker = Task { try await pipeline.image(for: sources[0], options: options) }
        guard try await eventually({ await order.values == ["a14.png"] }) else { return false }
        let first = Task { try await pipeline.image(for: sources[1], options: options + [.downloadPriority(0.1)]) }
        try await Task.sleep(for: .milliseconds(50))
        let second = Task { try await pipeline.image(for: sources[2], options: options + [.downloadPriority(0.9)]) }
        try await Task.sleep(for: .milliseconds(50))
        blocker.cancel()
        _ = try await (first.value, second.value)
        return await order.values == ["a14.png", "high.png", "low.png"] && ImageOptions().download.priority == 0.5
    }
    await checks.row("A15", "forceRefresh") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/a15.png"))
        _ = try await pipeline.image(for: source)
        let result = try await pipeline.image(for: source, options: [.forceRefresh])
        return try await checks.requests(for: "/pic/a15.png") == 2 && result.cacheType == .none
    }
    await checks.row("A16", "fromMemoryCacheOrRefresh does not read the disk") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/a16.png"))
        _ = try await pipeline.image(for: source)
        let hit = try await pipeline.image(for: source, options: [.fromMemoryCacheOrRefresh])
        pipeline.cache.clearMemoryCache()
        let miss = try await pipeline.image(for: source, options: [.fromMemoryCacheOrRefresh])
        return hit.cacheType == .memory && miss.cacheType == .none
    }
    await checks.row("A17", "cacheMemoryOnly") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a17.png"))
        _ = try await pipeline.image(for: .network(url), options: [.cacheMemoryOnly])
        let before = await pipeline.cache.imageCachedType(forKey: url.cacheKey)
        pipeline.cache.clearMemoryCache()
        let after = await pipeline.cache.imageCachedType(forKey: url.cacheKey)
        return before == .memory && after == .none
    }
    await checks.row("A18", "waitForCache") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a18.png"))
        let result = try await pipeline.image(for: .network(url), options: [.processor(.blackWhite), .waitForCache])
        pipeline.cache.clearMemoryCache()
        let type = await pipeline.cache.imageCachedType(forKey: url.cacheKey, processorIdentifier: "bw")
        return type == .disk && result.storeProblem == nil
    }
    await checks.row("A19", "onlyFromCache throws imageNotExisting(key)") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a19.png"))
        let error = await imageError { try await pipeline.image(for: .network(url), options: [.onlyFromCache]) }
        return try await checks.requests(for: "/pic/a19.png") == 0
            && error == .cache(.imageNotExisting(key: url.cacheKey))
    }
    await checks.row("A20", "backgroundDecode: never on the main actor; a prefetch decodes, too") {
        let places = Recorder<Bool>()
        let pipeline = ImagePipeline(cache: try checks.cache(), decoder: WatchedDecoder(places: places))
        _ = try await pipeline.warm(checks.source("/pic/a20.png"))
        _ = try await pipeline.warm(checks.source("/pic/a20-decoded.png"), options: [.backgroundDecode])
        return await places.all() == [false]
    }
}

/// A21 to A35: hooks, what is delivered and shown, prefetches.
@MainActor
private func delivery(_ checks: Checks) async {
    await checks.row("A21", "callbackQueue, the main one by default") {
        let (pipeline, executor) = (try checks.pipeline(), CountingExecutor())
        let (onMain, elsewhere) = (Recorder<Bool>(), Recorder<Bool>())
        let first: @Sendable (LoadEvent) -> Void = { _ in onMain.add(isOnMainQueue()) }
        let second: @Sendable (LoadEvent) -> Void = { _ in elsewhere.add(isOnMainQueue()) }
        _ = try await pipeline.image(for: checks.source("/pic/a21.png"), onEvent: first)
        let options: [ImageOptionsItem] = [.callbackQueue(.executor(executor))]
        _ = try await pipeline.image(for: checks.source("/pic/a21b.png"), options: options, onEvent: second)
        let jobs = await executor.jobs.all()
        let places = await (Set(onMain.all()), Set(elsewhere.all()))
        return places == ([true], [false]) && !jobs.isEmpty
    }
    await checks.row("A22", "scaleFactor, 1 by default") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/a22.png"))
        let options: [ImageOptionsItem] = [.processor(.downsample(to: pixels(30, 20)))]
        let one = try await pipeline.image(for: source, options: options)
        let two = try await pipeline.image(for: source, options: options + [.scaleFactor(2)])
        return one.image.size == pixels(30, 20) && two.image.size == pixels(60, 40)
    }
    await checks.row("A23", "preloadAllAnimationData, off by default") {
        let pipeline = try checks.pipeline()
        let lazy = try await pipeline.image(for: .provider(smallAnimation))
        let eager = try await pipeline.image(for: .provider(smallAnimation), options: [.preloadAllAnimationData])
        return lazy.image.animation?.frames.count == 0 && eager.image.animation?.frames.count == 2
    }
    await checks.row("A24", "requestModifier edits the request before the download") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/header/a24.png"))
        let modifier = AnyRequestModifier { request in
            var request = request
            request.headers.append(HeaderField(name: "x-key", value: "k"))
            return request
        }
        let error = await imageError { try await pipeline.image(for: source) }
        let result = try await pipeline.image(for: source, options: [.requestModifier(modifier)])
        return error?.isInvalidResponseStatusCode(403) == true && result.image.size == pixels(300, 200)
    }
    await checks.row("A25", "redirectHandler edits or stops a redirect") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/redirect/a25.png"))
        let stops = AnyRedirectHandler { _ in nil }
        let edits = AnyRedirectHandler { redirect in
            var next = redirect.next
            next.url = next.url.deletingLastPathComponent().appending(path: "a25-other.png")
            return next
        }
        let error = await imageError { try await pipeline.image(for: source, options: [.redirectHandler(stops)]) }
        _ = try await pipeline.image(for: source, options: [.redirectHandler(edits)])
        let count = try await checks.requests(for: "/pic/a25-other.png")
        return error == .response(.redirect(.stopped)) && count == 1
    }
    await checks.row("A26", "processor, whose result is cached") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/a26.png"))
        let options: [ImageOptionsItem] = [.processor(BlurImageProcessor(blurRadius: 2)), .waitForCache]
        let first = try await pipeline.image(for: source, options: options)
        pipeline.cache.clearMemoryCache()
        let second = try await pipeline.image(for: source, options: options)
        return second.cacheType == .disk && first.image.pixels == second.image.pixels
    }
    await checks.row("A27", "cacheSerializer") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a27.png"))
        let options: [ImageOptionsItem] = [
            .processor(.blackWhite), .cacheSerializer(FormatIndicatedCacheSerializer.jpeg), .waitForCache,
        ]
        _ = try await pipeline.image(for: .network(url), options: options)
        return await pipeline.cache.file(of: url.cacheKey, BlackWhiteProcessor())?.starts(with: [0xFF, 0xD8]) == true
    }
    await checks.row("A28", "imageModifier, after the processor or the cache, and never cached") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a28.png"))
        let modifier = RedDot()
        let first = try await pipeline.image(for: .network(url), options: [.imageModifier(modifier)])
        let second = try await pipeline.image(for: .network(url), options: [.imageModifier(modifier)])
        let cached = pipeline.cache.retrieveImageInMemoryCache(forKey: url.cacheKey)
        return [first, second].map(\.image.size) == [pixels(1, 1), pixels(1, 1)] && second.cacheType == .memory
            && cached?.size == pixels(300, 200)
    }
    await checks.row("A29", "keepCurrentImageWhileLoading") {
        let view = try checks.view(on: Drawings())
        let first = try await view.setImage(with: checks.source("/pic/a29.png")).image
        let slow = try checks.source("/slow/a29.png")
        let keeps: [ImageOptionsItem] = [.keepCurrentImageWhileLoading]
        let load = Task { await imageError { try await view.setImage(with: slow, options: keeps) } }
        guard try await eventually({ try await checks.requests(for: "/slow/a29.png") == 1 }) else { return false }
        let isKept = view.isLoading && view.image == first
        view.cancelDownloadTask()
        return await load.value?.isTaskCancelled == true && isKept && view.image == first
    }
    await checks.row("A30", "onlyLoadFirstFrame") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/anim.gif"))
        let still = try await pipeline.image(for: source, options: [.onlyLoadFirstFrame])
        let moving = try await pipeline.image(for: source)
        return still.image.animation == nil && (moving.image.animation?.frameCount ?? 0) > 1
    }
    await checks.row("A31", "cacheOriginalImage, to disk alone") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a31.png"))
        _ = try await pipeline.image(for: .network(url), options: [.processor(.blackWhite), .cacheOriginalImage])
        return await pipeline.cache.imageCachedType(forKey: url.cacheKey) == .disk
    }
    await checks.row("A32", "onFailureImage, nil for no image") {
        let view = try checks.view(on: Drawings())
        let (missing, sign) = (try checks.source("/missing"), image(of: .red))
        let error = await imageError { try await view.setImage(with: missing, options: [.onFailureImage(sign)]) }
        let shown = view.image
        let options: [ImageOptionsItem] = [.keepCurrentImageWhileLoading, .onFailureImage(nil)]
        _ = await imageError { try await view.setImage(with: missing, options: options) }
        return error?.isInvalidResponseStatusCode(404) == true && shown == sign && view.image == nil
    }
    await checks.row("A33", "alsoPrefetchToMemory") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a33.png"))
        let other = try checks.url("/pic/a33-other.png")
        let options: ImageOptions = [.alsoPrefetchToMemory]
        for await _ in await ImagePrefetcher(sources: [Source(url)], options: options, pipeline: pipeline).start() {}
        for await _ in await ImagePrefetcher(sources: [Source(other)], pipeline: pipeline).start() {}
        let type = await pipeline.cache.imageCachedType(forKey: url.cacheKey)
        return await pipeline.cache.imageCachedType(forKey: other.cacheKey) == .disk && type == .memory
    }
    await checks.row("A34", "loadDiskFileSynchronously: nothing blocks, the code that shows pictures waits 16 ms") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/a34.png"))
        let options: [ImageOptionsItem] = [.loadDiskFileSynchronously]
        _ = try await pipeline.image(for: source, options: options)
        pipeline.cache.clearMemoryCache()
        let result = try await pipeline.image(for: source, options: options)
        return result.cacheType == .disk && ImageOptions(options).display.loadDiskFileSynchronously
    }
    await checks.row("A35", "diskStoreWriteOptions: durable, always atomic") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a35.png"))
        _ = try await pipeline.image(for: .network(url), options: [.diskStoreWriteOptions(.durable)])
        return await pipeline.cache.file(of: url.cacheKey)?.starts(with: pngSignature) == true
    }
}

/// A36 to A45: expirations, queues, progressive JPEGs, other sources, further attempts.
@MainActor
private func expirations(_ checks: Checks) async {
    await checks.row("A36", "memoryCacheExpiration") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a36.png"))
        let other = try checks.url("/pic/a36-other.png")
        _ = try await pipeline.image(for: .network(url), options: [.memoryCacheExpiration(.seconds(0.1))])
        _ = try await pipeline.image(for: .network(other))
        try await Task.sleep(for: .milliseconds(150))
        let type = await pipeline.cache.imageCachedType(forKey: other.cacheKey)
        return await pipeline.cache.imageCachedType(forKey: url.cacheKey) == .disk && type == .memory
    }
    await checks.row("A37", "memoryCacheAccessExtendingExpiration: none, cacheTime, expirationTime") {
        let (pipeline, urls) = (try checks.pipeline(), try ["a", "b"].map { try checks.url("/pic/a37\($0).png") })
        let accesses: [ExpirationExtending] = [.none, .expirationTime(.seconds(60))]
        for (url, access) in zip(urls, accesses) {
            _ = try await pipeline.image(for: .network(url), options: [.memoryCacheExpiration(.seconds(0.5))])
            _ = try await pipeline.image(for: .network(url), options: [.memoryCacheAccessExtendingExpiration(access)])
        }
        try await Task.sleep(for: .milliseconds(600))
        let first = await pipeline.cache.imageCachedType(forKey: urls[0].cacheKey)
        return await pipeline.cache.imageCachedType(forKey: urls[1].cacheKey) == .memory && first == .disk
    }
    await checks.row("A38", "diskCacheExpiration") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/a38.png"))
        let other = try checks.url("/pic/a38-other.png")
        _ = try await pipeline.image(for: .network(url), options: [.diskCacheExpiration(.seconds(0.2))])
        _ = try await pipeline.image(for: .network(other))
        pipeline.cache.clearMemoryCache()
        try await Task.sleep(for: .milliseconds(250))
        let isOtherCached = await pipeline.cache.isCached(forKey: other.cacheKey)
        return await !pipeline.cache.isCached(forKey: url.cacheKey) && isOtherCached
    }
    await checks.row("A39", "diskCacheAccessExtendingExpiration") {
        let (pipeline, urls) = (try checks.pipeline(), try ["a", "b"].map { try checks.url("/pic/a39\($0).png") })
        let accesses: [ExpirationExtending] = [.none, .expirationTime(.days(1))]
        for (url, access) in zip(urls, accesses) {
            _ = try await pipeline.image(for: .network(url), options: [.diskCacheExpiration(.seconds(0.5))])
            pipeline.cache.clearMemoryCache()
            _ = try await pipeline.image(for: .network(url), options: [.diskCacheAccessExtendingExpiration(access)])
        }
        pipeline.cache.clearMemoryCache()
        await pipeline.cache.flush()
        try await Task.sleep(for: .milliseconds(600))
        let isFirstCached = await pipeline.cache.isCached(forKey: urls[0].cacheKey)
        return await pipeline.cache.isCached(forKey: urls[1].cacheKey) && !isFirstCached
    }
    await checks.row("A40", "processingQueue, with a width and an executor of one's own") {
        let (pipeline, executor) = (try checks.pipeline(), CountingExecutor())
        let queue = ProcessingQueue(width: 1, executor: executor)
        _ = try await pipeline.image(for: checks.source("/pic/a40.png"), options: [.processingQueue(queue)])
        return await !executor.jobs.all().isEmpty && queue.width == 1
    }
    await checks.row("A41", "progressiveJPEG, whose partial pictures are events") {
        var limits = DownloadLimits()
        limits.bytesPerSecond = 80_000
        let (pipeline, events) = (try checks.pipeline(), Events())
        let options: [ImageOptionsItem] = [
            .downloader(ImageDownloader(limits: limits)), .processor(.downsample(to: pixels(140, 95))),
            .progressiveJPEG(ImageProgressive(isBlur: false)),
        ]
        let result = try await pipeline.image(for: checks.source("/photo.jpg"), options: options) { events.add($0) }
        return events.partials.first?.size == result.image.size
    }
    await checks.row("A42", "alternativeSources in order, and an error when all fail") {
        let pipeline = try checks.pipeline()
        let sources = try ["/missing", "/down/a42.png", "/header/a42.png"].map { try checks.source($0) }
        let error = await imageError {
            try await pipeline.image(for: sources[0], options: [.alternativeSources(Array(sources[1...]))])
        }
        return error?.failures.map(\.source.cacheKey) == sources.map(\.cacheKey)
    }
    await checks.row("A43", "alternatives stop at the first success") {
        let pipeline = try checks.pipeline()
        let others = try ["/pic/a43a.png", "/pic/a43b.png"].map { try checks.source($0) }
        _ = try await pipeline.image(for: checks.source("/missing"), options: [.alternativeSources(others)])
        let first = try await checks.requests(for: "/pic/a43a.png")
        return try await checks.requests(for: "/pic/a43b.png") == 0 && first == 1
    }
    await checks.row("A44", "retryStrategy") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/busy/a44.png"))
        let strategy = DelayRetryStrategy(maxRetryCount: 2, retryInterval: .seconds(0.01))
        let result = try await pipeline.image(for: source, options: [.retryStrategy(strategy)])
        return try await checks.requests(for: "/busy/a44.png") == 2 && result.image.size == pixels(300, 200)
    }
    await checks.row("A45", "lowDataMode: the other source comes first on a constrained network") {
        let pipeline = try checks.pipeline()
        let (large, small) = (try checks.source("/pic/a45.png"), try checks.source("/pic/a45-small.png"))
        _ = try await pipeline.image(for: large, options: [.lowDataMode(small), .networkConstrained])
        let counts = try await (checks.requests(for: "/pic/a45.png"), checks.requests(for: "/pic/a45-small.png"))
        _ = try await pipeline.image(for: large, options: [.lowDataMode(small)])
        return try await checks.requests(for: "/pic/a45.png") == 1 && counts == (0, 1)
    }
}

/// A46 to A57: the processors.
@MainActor
private func processors(_ checks: Checks) async {
    await checks.row("A46", "RoundCornerImageProcessor(cornerRadius:)") {
        let (before, after) = try await checks.processed("a46", by: RoundCornerImageProcessor(cornerRadius: 50))
        return after[0, 0].alpha == 0 && after[150, 100] == before[150, 100]
    }
    await checks.row("A47", "DownsamplingImageProcessor(size:)") {
        let processor = DownsamplingImageProcessor(size: pixels(100, 100))
        return try await checks.processed("a47", by: processor).after.size == pixels(100, 67)
    }
    await checks.row("A48", "CroppingImageProcessor(size:anchor:)") {
        let processor = CroppingImageProcessor(size: pixels(100, 100), anchor: .init(x: 0.5, y: 0.5))
        let (before, after) = try await checks.processed("a48", by: processor)
        return after.size == pixels(100, 100) && after[0, 0] == before[100, 50]
    }
    await checks.row("A49", "BlurImageProcessor(blurRadius:)") {
        let (before, after) = try await checks.processed("a49", by: BlurImageProcessor(blurRadius: 5))
        // The picture's red falls from 255 to 0 at column 256.
        return before[256, 100].red == 0 && after[256, 100].red > 50 && after.size == before.size
    }
    await checks.row("A50", "OverlayImageProcessor(overlay:fraction:): 0 is the colour, 1 the picture") {
        let solid = try await checks.processed("a50", by: OverlayImageProcessor(overlay: .red, fraction: 0))
        let (before, after) = try await checks.processed("a50b", by: OverlayImageProcessor(overlay: .red, fraction: 1))
        return solid.after[10, 10] == .red && before == after
    }
    await checks.row("A51", "TintImageProcessor(tint:)") {
        let tint = Color(red: 0, green: 0, blue: 255, alpha: 128)
        let (before, after) = try await checks.processed("a51", by: TintImageProcessor(tint: tint))
        return after[200, 10].red < before[200, 10].red && after[200, 10].blue > before[200, 10].blue
    }
    await checks.row("A52", "ColorControlsProcessor(brightness:contrast:saturation:inputEV:)") {
        let processor = ColorControlsProcessor(brightness: 0.1, contrast: 1, saturation: 0, inputEV: 0)
        let (before, after) = try await checks.processed("a52", by: processor)
        return before[200, 10].isGrey == false && after[200, 10].isGrey && after[0, 0].red > before[0, 0].red
    }
    await checks.row("A53", "BlackWhiteProcessor()") {
        let (before, after) = try await checks.processed("a53", by: BlackWhiteProcessor())
        return before[200, 10].isGrey == false && after[200, 10].isGrey && after[0, 0] == .black
    }
    await checks.row("A54", "BlendImageProcessor(blendMode:alpha:backgroundColor:), here background:") {
        let processor = BlendImageProcessor(blendMode: .darken, alpha: 1, background: .lightGray)
        let (_, after) = try await checks.processed("a54", by: processor)
        return after[200, 10].red == Color.lightGray.red && after[100, 10].red == 100
    }
    await checks.row("A55", "ResizingImageProcessor(referenceSize:mode:)") {
        let box = pixels(150, 150)
        let (_, stretched) = try await checks.processed("a55", by: ResizingImageProcessor(referenceSize: box))
        let (_, fitted) = try await checks.processed("a55b", by: ResizingImageProcessor(referenceSize: box, mode: .fit))
        return stretched.size == box && fitted.size == pixels(150, 100)
    }
    await checks.row("A56", "processors are chained by |> from left to right") {
        let chain = RoundCornerImageProcessor(cornerRadius: 50) |> BlurImageProcessor(blurRadius: 5)
        let options: ImageOptions = [.processor(.roundCorners(50) |> .blur(5))]
        let sizes: any ImageProcessor = .crop(to: pixels(50, 50)) |> .resize(to: pixels(80, 80))
        let (_, after) = try await checks.processed("a56", by: sizes)
        return chain.identifier == "round(50)|>blur(5)" && options.process.processor.identifier == chain.identifier
            && after.size == pixels(80, 80)
    }
    await checks.row("A57", "colours: white, blue, cyan") {
        let processor = RoundCornerImageProcessor(cornerRadius: 20, backgroundColor: .cyan)
        let (_, after) = try await checks.processed("a57", by: processor)
        let named = ["white", "blue", "rebeccapurple"].map { Color(css: $0) }
        return after[0, 0] == .cyan && named == [.white, .blue, Color(red: 0x66, green: 0x33, blue: 0x99)]
    }
}

private struct Avatar: Resource {
    let user: String
    let downloadURL: URL
    var cacheKey: String { "avatar-\(user)" }
}

/// Tells which downloads have left the queue.
private struct StartHooks: DownloadHooks {
    let names: Collected<String>

    func willDownload(_ request: DownloadRequest) async { await names.append(request.url.lastPathComponent) }
}

/// Tells whether it decodes on the main actor's queue.
private struct WatchedDecoder: ImageDecoding {
    let places: Recorder<Bool>

    func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try CodecDecoder().header(of: data, limits: limits)
    }

    func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        places.add(isOnMainQueue())
        return try CodecDecoder().decode(data, within: box, limits: limits)
    }
}
