import Foundation
import TerminalImageView

@MainActor
func nukeCache(_ checks: Checks) async {
    await tiers(checks)
    await policies(checks)
    await prefetches(checks)
    await views(checks)
    await pipelines(checks)
    await delegates(checks)
}

/// E26 to E29: the tiers of the cache.
@MainActor
private func tiers(_ checks: Checks) async {
    await checks.row("E26", "ImageCache, the one in memory, is MemoryStorage") {
        let memory = MemoryStorage<Image>()
        let pipeline = ImagePipeline(cache: ImageCache(memory: memory, disk: nil))
        let source = try checks.source("/pic/e26.png")
        let first = try await pipeline.image(for: source)
        let second = try await pipeline.image(for: source)
        return memory.count == 1 && memory.totalCost == first.image.cost && second.cacheType == .memory
    }
    await checks.row("E27", "costLimit, countLimit, ttl, entryCostLimit") {
        let memory = MemoryStorage<Int>(
            configuration: .init(totalCostLimit: 900, countLimit: 2, entryShare: 0.6, expiration: .seconds(0.05)))
        for key in ["a", "b", "c"] { memory.store(0, forKey: key, cost: 100) }
        let count = memory.count
        let isLargeStored = memory.store(0, forKey: "d", cost: 600)
        for key in ["e", "f"] { memory.store(0, forKey: key, cost: 500) }
        let cost = memory.totalCost
        try await Task.sleep(for: .milliseconds(100))
        return count == 2 && !isLargeStored && cost == 500 && memory.value(forKey: "f") == nil
    }
    await checks.row("E28", "DataCache is DiskStorage: shared, and checked by digest") {
        let folder = checks.folder("e28")
        let storages = try (0..<3).map { _ in try DiskStorage(folder: folder) }
        let (cache, bytes) = (ImageCache(disk: storages[0]), Data(repeating: 7, count: 100_000))
        try await cache.storeToDisk(bytes, forKey: "a")
        guard let entry = try await storages[1].find("a").first, let path = await cache.cachePath(forKey: "a") else {
            return false
        }
        let shared = await storages[1].data(for: entry.key)?.data
        try Data(repeating: 8, count: 100_000).write(to: URL(filePath: path), options: .atomic)
        return await storages[2].data(for: entry.key) == nil && shared == bytes
    }
    await checks.row("E29", "sizeLimit holds at every store, without sweep()") {
        let storage = try DiskStorage(folder: checks.folder("e29"), configuration: .init(sizeLimit: 500_000))
        let cache = ImageCache(disk: storage)
        var sizes: [Int] = []
        for number in UInt8(0)..<8 {
            try await cache.storeToDisk(Data(repeating: number, count: 100_000), forKey: "\(number)")
            sizes.append(try await storage.totalBytes())
        }
        return await cache.isCached(forKey: "7") && sizes.allSatisfy { (100_000...500_000).contains($0) }
    }
}

/// E30 to E34: what is stored, read and removed.
@MainActor
private func policies(_ checks: Checks) async {
    await checks.row("E30", "dataCachePolicy .automatic: the processed picture, or the original") {
        let (pipeline, urls) = (try checks.pipeline(), try ["a", "b"].map { try checks.url("/pic/e30\($0).png") })
        _ = try await pipeline.image(for: urls[0], options: [.processor(.blackWhite), .waitForCache])
        _ = try await pipeline.image(for: urls[1])
        pipeline.cache.clearMemoryCache()
        let processed = await pipeline.cache.isCached(forKey: urls[0].cacheKey, processorIdentifier: "bw")
        let original = await pipeline.cache.isCached(forKey: urls[0].cacheKey)
        return await pipeline.cache.isCached(forKey: urls[1].cacheKey) && processed && !original
    }
    await checks.row("E31", "dataCachePolicy .storeAll is cacheOriginalImage") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/e31.png"))
        _ = try await pipeline.image(
            for: url, options: [.processor(.blackWhite), .cacheOriginalImage, .waitForCache])
        pipeline.cache.clearMemoryCache()
        let isProcessedStored = await pipeline.cache.isCached(forKey: url.cacheKey, processorIdentifier: "bw")
        return await pipeline.cache.isCached(forKey: url.cacheKey) && isProcessedStored
    }
    await checks.row("E32", "pipeline.cache[request] is retrieveImage(forKey:processor:)") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/e32.png"))
        let result = try await pipeline.image(for: url, options: [.processor(.blackWhite), .waitForCache])
        let first = try await pipeline.cache.retrieveImage(forKey: url.cacheKey, processor: .blackWhite)
        pipeline.cache.clearMemoryCache()
        let second = try await pipeline.cache.retrieveImage(forKey: url.cacheKey, processor: .blackWhite)
        return first == .memory(result.image) && second.cacheType == .disk
            && second.image?.pixels == result.image.pixels
    }
    await checks.row("E33", "removeCachedImage(for:) is removeImages(forKey:), of all variants") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/e33.png"))
        _ = try await pipeline.image(for: url)
        _ = try await pipeline.image(for: url, options: [.processor(.blackWhite), .waitForCache])
        let removed = try await pipeline.cache.removeImages(forKey: url.cacheKey)
        let isProcessedCached = await pipeline.cache.isCached(forKey: url.cacheKey, processorIdentifier: "bw")
        // Two in memory and two on disk.
        return await !pipeline.cache.isCached(forKey: url.cacheKey) && !isProcessedCached && removed == 4
    }
    await checks.row("E34", "ImagePipeline.Cache.Caches: fromMemory:, fromDisk:") {
        let (cache, keys) = (try checks.cache(), ["a", "b"])
        for key in keys { try await cache.store(image(of: .red), forKey: key) }
        try await cache.removeImage(forKey: "a", fromMemory: true, fromDisk: false)
        try await cache.removeImage(forKey: "b", fromMemory: false, fromDisk: true)
        let types = [await cache.imageCachedType(forKey: "a"), await cache.imageCachedType(forKey: "b")]
        cache.clearMemoryCache()
        return await !cache.isCached(forKey: "b") && types == [.disk, .memory]
    }
}

/// E35 to E38: prefetches.
@MainActor
private func prefetches(_ checks: Checks) async {
    await checks.row("E35", "destination: the disk, and the memory by alsoPrefetchToMemory") {
        let (pipeline, urls) = (try checks.pipeline(), try ["a", "b"].map { try checks.url("/pic/e35\($0).png") })
        let list: [ImageOptions] = [[], [.alsoPrefetchToMemory]]
        var types: [ImageCache.CacheType] = []
        for (url, options) in zip(urls, list) {
            let prefetcher = ImagePrefetcher(sources: [Source(url: url)], options: options, pipeline: pipeline)
            for await _ in await prefetcher.start() {}
            types.append(await pipeline.cache.imageCachedType(forKey: url.cacheKey))
        }
        return types == [.disk, .memory]
    }
    await checks.row("E36", "startPrefetching(with:) is start(), which returns the events, and add(_:)") {
        let pipeline = try checks.pipeline()
        let listed = ImagePrefetcher(sources: [try checks.source("/pic/e36a.png")], pipeline: pipeline)
        let open = ImagePrefetcher(pipeline: pipeline)
        await open.add(PrefetchItem(id: 7, source: try checks.source("/pic/e36b.png")))
        await open.finish()
        var finished: [Int] = []
        for events in [await listed.start(), open.events] {
            for await case .finished(let id, _) in events { finished.append(id) }
        }
        return try await checks.requests(for: "/pic/e36b.png") == 1 && finished == [0, 7]
    }
    await checks.row("E37", "stopPrefetching() is stop() and cancel(_:)") {
        let sources = try ["a", "b"].map { try checks.source("/slow/e37\($0).png") }
        let prefetcher = ImagePrefetcher(sources: sources, pipeline: try checks.pipeline())
        let events = await prefetcher.start()
        guard try await eventually({ try await checks.requests(for: "/slow/e37b.png") == 1 }) else { return false }
        await prefetcher.cancel(0)
        guard try await eventually({ await prefetcher.results.failed.map(\.item.id) == [0] }) else { return false }
        await prefetcher.stop()
        for await _ in events {}
        return await prefetcher.results.failed.map(\.error.isTaskCancelled) == [true, true]
    }
    await checks.row("E38", "isPaused is pause() and resume()") {
        let prefetcher = ImagePrefetcher(pipeline: try checks.pipeline())
        await prefetcher.pause()
        await prefetcher.add(PrefetchItem(id: 0, source: try checks.source("/pic/e38.png")))
        try await Task.sleep(for: .milliseconds(100))
        let before = try await checks.requests(for: "/pic/e38.png")
        await prefetcher.resume()
        await prefetcher.finish()
        for await _ in prefetcher.events {}
        return try await checks.requests(for: "/pic/e38.png") == 1 && before == 0
    }
}

/// E39 and E40: views.
@MainActor
private func views(_ checks: Checks) async {
    await checks.row("E39", "LazyImageView: placeholder, indicator, transition and failure image") {
        let (screen, sign) = (Drawings(), image(of: .red))
        let indicator = ActivityIndicator(.ascii, interval: .milliseconds(10))
        let view = try checks.view(on: screen, indicator: indicator)
        let options: [ImageOptionsItem] = [.transition(.fade(0.1)), .onFailureImage(sign)]
        let result = try await view.setImage(
            with: checks.source("/drip/e39.png"), placeholder: Card(), options: options)
        let isShown = view.image == result.image && screen.contains("wait for e39.png")
        let (pictures, texts) = (screen.pictures, screen.count - screen.pictures)
        _ = await imageError { try await view.setImage(with: checks.source("/missing/e39.png"), options: options) }
        return isShown && pictures > 1 && texts > 2 && view.image == sign
    }
    await checks.row("E40", "transition: .fadeIn(duration:) is transition(.fade())") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        try await view.setImage(with: checks.source("/pic/e40a.png"))
        let before = screen.pictures
        let start = ContinuousClock.now
        try await view.setImage(with: checks.source("/pic/e40b.png"), options: [.transition(.fade(0.3))])
        return before == 1 && screen.pictures > 2 && ContinuousClock.now - start >= .milliseconds(300)
    }
}

/// E41 to E45: what a pipeline does.
@MainActor
private func pipelines(_ checks: Checks) async {
    await checks.row("E41", "DataLoader, DataLoading: ImageDownloader, DataDownloading") {
        let source = try checks.source("/pic/e41.png")
        let fixed = FixedDownloader(data: try image(of: .red).pixels.pngData())
        let own = try await ImagePipeline(cache: checks.cache(), downloader: fixed).image(for: source)
        let before = try await checks.requests(for: "/pic/e41.png")
        _ = try await checks.pipeline(ImageDownloader()).image(for: source)
        return try await checks.requests(for: "/pic/e41.png") == 1 && before == 0 && own.image.pixels[0, 0] == .red
    }
    await checks.row("E42", "isTaskCoalescingEnabled: always, for each step of a chain, too") {
        let (pipeline, source, runs) = (try checks.pipeline(), try checks.source("/drip/e42.png"), Recorder<Int>())
        let painted = Painted(color: .red, runs: runs)
        let first = Task { try await pipeline.image(for: source, options: [.processor(painted |> .blur(1))]) }
        let second = Task { try await pipeline.image(for: source, options: [.processor(painted |> .blackWhite)]) }
        let images = [try await first.value.image, try await second.value.image]
        let count = await runs.all().count
        return try await checks.requests(for: "/drip/e42.png") == 1 && count == 1
            && images[0].pixels[10, 10].red > 250 && images[1].pixels[10, 10].isGrey
    }
    await checks.row("E43", "isRateLimiterEnabled: HostHealth pauses a host in trouble") {
        let (pipeline, source, events) = (try checks.pipeline(), try checks.source("/pic/e43.png"), Events())
        let host = checks.base.replacing("http://", with: "")
        pipeline.hosts.park(host, for: .milliseconds(200))
        let troubled = pipeline.hosts.troubledHosts().map(\.host)
        _ = try await pipeline.image(for: source) { events.add($0) }
        guard case .parked(.parked) = events.all.first else { return false }
        return troubled == [host]
    }
    await checks.row("E44", "isResumableDataEnabled: between the attempts of retryStrategy") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/broken/e44.png"))
        let strategy = DelayRetryStrategy(maxRetryCount: 2, retryInterval: .seconds(0.01))
        let result = try await pipeline.image(for: source, options: [.retryStrategy(strategy)])
        guard let metrics = result.metrics else { return false }
        return metrics.resumedBytes > 0 && metrics.resumedBytes < metrics.bytes && metrics.statusCode == 206
            && result.image.size == pixels(300, 200)
    }
    await checks.row("E45", "isProgressiveDecodingEnabled is progressiveJPEG, off by default") {
        let small: ImageOptionsItem = .processor(.downsample(to: pixels(140, 95)))
        var counts: [Int] = []
        for options: ImageOptions in [[small], [small, .progressiveJPEG(ImageProgressive(isBlur: false))]] {
            let (pipeline, events) = (try checks.pipeline(slowDownloader()), Events())
            _ = try await pipeline.image(for: checks.source("/photo.jpg/e45"), options: options) { events.add($0) }
            counts.append(events.partials.count)
        }
        return counts[0] == 0 && counts[1] > 0
    }
}

/// E46 to E48: hooks, errors, retries.
@MainActor
private func delegates(_ checks: Checks) async {
    await checks.row("E46", "ImagePipelineDelegate: one protocol for each moment") {
        let calls = Recorder<String>()
        let modifier = AnyRequestModifier { request in
            calls.add("request")
            return request
        }
        let handler = AnyRedirectHandler { redirect in
            calls.add("redirect")
            return redirect.next
        }
        let image = AnyImageModifier { image in
            calls.add("image")
            return image
        }
        _ = try await checks.pipeline().image(
            for: checks.source("/redirect/e46.png"),
            options: [
                .requestModifier(modifier), .redirectHandler(handler), .downloadHooks(CallHooks(calls: calls)),
                .imageModifier(image),
            ])
        return await calls.all() == ["request", "start", "redirect", "response 200", "finish", "image"]
    }
    await checks.row("E47", "ImagePipeline.Error is ImageError: five families with codes") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/e47.png"))
        let provider = Base64ImageDataProvider(base64String: "?", cacheKey: "e47")
        let loads: [(Source, [ImageOptionsItem])] = [
            (source, [.requestModifier(AnyRequestModifier { _ in nil })]), (try checks.source("/missing/e47.png"), []),
            (source, [.onlyFromCache]), (source, [.processor(.crop(to: .zero))]), (.provider(provider), []),
        ]
        var codes: [Int] = []
        for (source, options) in loads {
            do throws(ImageError) {
                _ = try await pipeline.image(for: source, options: options)
            } catch { codes.append(error.code) }
        }
        return codes == [1001, 2002, 3006, 4001, 5003]
    }
    await checks.row("E48", "retries: retryStrategy") {
        let (pipeline, source, events) = (try checks.pipeline(), try checks.source("/busy/e48.png"), Events())
        let strategy = DelayRetryStrategy(maxRetryCount: 2, retryInterval: .seconds(0.01))
        _ = try await pipeline.image(for: source, options: [.retryStrategy(strategy)]) { events.add($0) }
        return try await checks.requests(for: "/busy/e48.png") == 2 && events.retries == [2]
    }
}

/// Returns the same bytes for each address.
private struct FixedDownloader: DataDownloading {
    let data: Data

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        onProgress(DownloadProgress(received: data.count, total: data.count))
        return Download(data: data, url: request.url, isProvenWhole: true)
    }
}

private struct CallHooks: DownloadHooks {
    let calls: Recorder<String>

    func willDownload(_ request: DownloadRequest) async { calls.add("start") }

    func didReceive(_ response: DownloadResponse) async -> ResponseDisposition {
        calls.add("response \(response.statusCode)")
        return .allow
    }

    func didFinish(_ request: DownloadRequest, _ result: Result<Download, DownloadError>) async {
        calls.add("finish")
    }
}

extension Checks {
    /// Returns the folder of a cache.
    fileprivate func folder(_ name: String) -> CacheFolder {
        CacheFolder(path: folder.appending(path: name).path(percentEncoded: false))
    }
}
