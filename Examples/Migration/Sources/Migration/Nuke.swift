import Foundation
import TerminalImageView

@MainActor
func nuke(_ checks: Checks) async {
    await requests(checks)
    await requestOptions(checks)
    await tasks(checks)
    await processors(checks)
    await ownParts(checks)
    await nukeCache(checks)
}

/// E1 to E8: pipelines and requests.
@MainActor
private func requests(_ checks: Checks) async {
    await checks.row("E1", "instead of ImagePipeline.shared: create a pipeline and pass it on") {
        let view = try checks.view(on: Drawings())
        let source = try checks.source("/pic/e1.png")
        _ = try await view.pipeline.image(for: source)
        let second = try await view.pipeline.image(for: source)
        let other = try await checks.pipeline().image(for: source)
        return second.cacheType == .memory && other.cacheType == .none
    }
    await checks.row("E2", "image(for: url) returns an ImageResult") {
        let url = try checks.url("/pic/e2.png")
        let result = try await checks.pipeline().image(
            for: Source(url: url),
            options: [
                .processor(.roundCorners(16) |> .blur(5)), .downloadPriority(0.8), .diskCacheExpiration(.days(30)),
            ])
        return result.image.size == pixels(300, 200) && result.image.pixels[0, 0].alpha < 255
            && result.metrics?.statusCode == 200
    }
    await checks.row("E3", "instead of data(for:): warm, then cachePath") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/e3.png"))
        let result = try await pipeline.warm(Source(url: url))
        guard let path = await pipeline.cache.cachePath(forKey: url.cacheKey) else { return false }
        let data = FileManager.default.contents(atPath: path)
        return data?.count == result.byteCount && data?.starts(with: pngSignature) == true
    }
    await checks.row("E4", "ImageRequest is a Source and ImageOptions") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/e4.png"))
        let options: ImageOptions = [.processor(.resize(to: pixels(60, 40)))]
        let small = try await pipeline.image(for: source, options: options)
        let large = try await pipeline.image(for: source)
        return small.image.size == pixels(60, 40) && large.image.size == pixels(300, 200)
    }
    await checks.row("E5", "ImageRequest(id:data:) is a provider") {
        let (pipeline, data) = (try checks.pipeline(), try image(of: .red).pixels.pngData())
        let source = Source.provider(RawImageDataProvider(data: data, cacheKey: "e5"))
        let result = try await pipeline.image(for: source)
        return await pipeline.cache.isCached(forKey: "e5") && result.image.pixels[0, 0] == .red
    }
    await checks.row("E6", "imageIdKey is the cacheKey of an ImageResource") {
        let pipeline = try checks.pipeline()
        let paths = ["/pic/e6.png?token=1", "/pic/e6.png?token=2"]
        for url in try paths.map({ try checks.url($0) }) {
            _ = try await pipeline.image(for: ImageResource(downloadURL: url, cacheKey: "e6"))
        }
        let first = try await checks.requests(for: paths[0])
        return try await checks.requests(for: paths[1]) == 0 && first == 1
    }
    await checks.row("E7", "scaleKey is scaleFactor, for the lengths of processors") {
        let result = try await checks.pipeline().image(
            for: checks.source("/pic/e7.png"), options: [.scaleFactor(2), .processor(.crop(to: pixels(30, 20)))])
        return result.image.size == pixels(60, 40)
    }
    await checks.row("E8", "thumbnailKey: the decoder scales, of a file, too") {
        let (boxes, file) = (Recorder<PixelSize?>(), try checks.file("e8.png", .red))
        let pipeline = ImagePipeline(cache: try checks.cache(), decoder: BoxDecoder(boxes: boxes))
        let processor = DownsamplingImageProcessor(size: pixels(150, 150))
        let small = try await pipeline.image(for: checks.source("/pic/e8.png"), options: [.processor(processor)])
        let provider = ThumbnailImageDataProvider(file, maxPixelSize: 5)
        let thumbnail = try await checks.pipeline().image(for: .provider(provider))
        return await boxes.all() == [pixels(150, 150)] && small.image.size == pixels(150, 100)
            && thumbnail.image.size == pixels(5, 5)
    }
}

/// E9 to E12: the options of a request.
@MainActor
private func requestOptions(_ checks: Checks) async {
    await checks.row("E9", "priority: downloadPriority, setPriority(_:of:) of a waiting prefetch") {
        let prefetcher = ImagePrefetcher(pipeline: try checks.pipeline(), maxConcurrentDownloads: 1)
        await prefetcher.pause()
        for (id, path) in ["/pic/e9a.png", "/pic/e9b.png"].enumerated() {
            await prefetcher.add(PrefetchItem(id: id, source: try checks.source(path)))
        }
        await prefetcher.setPriority(0.9, of: 1)
        try await Task.sleep(for: .milliseconds(100))
        await prefetcher.resume()
        await prefetcher.finish()
        var order: [Int] = []
        for await case .started(let id) in prefetcher.events { order.append(id) }
        return order == [1, 0] && ImageOptions([.downloadPriority(0.8)]).download.priority == 0.8
    }
    await checks.row("E10", "reloadIgnoringCachedData is forceRefresh") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/e10.png"))
        _ = try await pipeline.image(for: source)
        let result = try await pipeline.image(for: source, options: [.forceRefresh])
        return try await checks.requests(for: "/pic/e10.png") == 2 && result.cacheType == .none
    }
    await checks.row("E11", "returnCacheDataDontLoad is onlyFromCache") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/e11.png"))
        let error = await imageError { try await pipeline.image(for: source, options: [.onlyFromCache]) }
        _ = try await pipeline.image(for: source)
        let result = try await pipeline.image(for: source, options: [.onlyFromCache])
        return error == .cache(.imageNotExisting(key: source.cacheKey)) && result.cacheType == .memory
    }
    await checks.row("E12", "disableDiskCacheWrites is cacheMemoryOnly; cacheOriginalImage still stores the original") {
        let (pipeline, urls) = (try checks.pipeline(), try ["a", "b"].map { try checks.url("/pic/e12\($0).png") })
        let options: [ImageOptionsItem] = [.processor(.blackWhite), .cacheMemoryOnly, .waitForCache]
        _ = try await pipeline.image(for: urls[0], options: options)
        _ = try await pipeline.image(for: urls[1], options: options + [.cacheOriginalImage])
        let before = await pipeline.cache.imageCachedType(forKey: urls[0].cacheKey, processorIdentifier: "bw")
        pipeline.cache.clearMemoryCache()
        let after = await pipeline.cache.imageCachedType(forKey: urls[0].cacheKey, processorIdentifier: "bw")
        let isFirstStored = await pipeline.cache.isCached(forKey: urls[0].cacheKey)
        let isSecondStored = await pipeline.cache.isCached(forKey: urls[1].cacheKey)
        return before == .memory && after == .none && !isFirstStored && isSecondStored
    }
}

/// E13 to E15: a running request.
@MainActor
private func tasks(_ checks: Checks) async {
    await checks.row("E13", "the calling task is the ImageTask; other callers go on after its cancel()") {
        let (pipeline, source, events) = (try checks.pipeline(), try checks.source("/drip/e13.png"), Events())
        let first = Task { await imageError { try await pipeline.image(for: source) } }
        let second = Task { try await pipeline.image(for: source) { events.add($0) } }
        guard try await eventually({ !events.all.isEmpty }) else { return false }
        first.cancel()
        let (error, result) = (await first.value, try await second.value)
        return try await checks.requests(for: "/drip/e13.png") == 1 && error?.isTaskCancelled == true
            && result.image.size == pixels(300, 200)
    }
    await checks.row("E14", "task.progress is an event, on the actor of the handler") {
        // Only the main actor may use the events.
        let (pipeline, source, events) = (try checks.pipeline(), try checks.source("/drip/e14.png"), Events())
        _ = try await pipeline.image(for: source) { events.add($0) }
        guard let first = events.progress.first, let last = events.progress.last else { return false }
        return first.received < last.received && last.received == last.total
    }
    await checks.row("E15", "task.previews are the partial pictures of progressiveJPEG") {
        let (pipeline, events) = (try checks.pipeline(slowDownloader()), Events())
        let result = try await pipeline.image(
            for: checks.source("/photo.jpg/e15"),
            options: [
                .processor(.downsample(to: pixels(140, 95))), .progressiveJPEG(ImageProgressive(isBlur: false)),
            ]
        ) { events.add($0) }
        return events.partials.first?.size == result.image.size
    }
}

/// E16 to E20: the processors that Nuke has, too.
@MainActor
private func processors(_ checks: Checks) async {
    await checks.row("E16", "resize(width:) is downsample(to:), which never enlarges") {
        let (before, small) = try await checks.processed("e16", by: .downsample(to: pixels(150, 150)))
        let (_, large) = try await checks.processed("e16b", by: .downsample(to: pixels(600, 600)))
        return small.size == pixels(150, 100) && large == before
    }
    await checks.row("E17", "Resize(size:contentMode:crop:): resize, then crop") {
        let box = pixels(100, 100)
        let resize = ResizingImageProcessor(referenceSize: box, mode: .fill)
        let (_, filled) = try await checks.processed("e17", by: resize)
        let (_, cropped) = try await checks.processed("e17b", by: resize |> CroppingImageProcessor(size: box))
        return filled.size == pixels(150, 100) && cropped.size == box && cropped[0, 50] == filled[25, 50]
    }
    await checks.row("E18", "circle() is a radius of half the width, after a crop to a square") {
        let circle = .crop(to: pixels(200, 200)) |> RoundCornerImageProcessor(radius: .widthFraction(0.5))
        let (before, after) = try await checks.processed("e18", by: circle)
        return after[20, 20].alpha == 0 && after[100, 2].alpha == 255 && after[100, 100] == before[150, 100]
    }
    await checks.row("E19", "roundedCorners(radius:) is roundCorners, in pixels") {
        let (before, after) = try await checks.processed("e19", by: .roundCorners(16))
        return after[0, 0].alpha == 0 && after[16, 16] == before[16, 16] && after.size == before.size
    }
    await checks.row("E20", "gaussianBlur(radius:) is blur, with σ in pixels") {
        let (before, after) = try await checks.processed("e20", by: .blur(5))
        // The picture's red falls from 255 to 0 at column 256; 1.1 σ behind it, 14 % of that are left.
        return before[261, 100].red == 5 && (30...50).contains(after[261, 100].red)
    }
}

/// E21 to E25: own processors, decoders and serializers.
@MainActor
private func ownParts(_ checks: Checks) async {
    await checks.row("E21", "coreImageFilter(name:) is an operation of libvips") {
        let mirror = VipsImageProcessor(identifier: "mirror") { try $0.applying("flip", ["direction": "horizontal"]) }
        let (before, after) = try await checks.processed("e21", by: mirror)
        return after[0, 10] == before[299, 10] && after[0, 10] != before[0, 10]
    }
    await checks.row("E22", "process(id:) is a type with an identifier, which keys the result") {
        let (pipeline, source, runs) = (try checks.pipeline(), try checks.source("/pic/e22.png"), Recorder<Int>())
        let options: [ImageOptionsItem] = [.processor(Painted(color: .red, runs: runs))]
        let first = try await pipeline.image(for: source, options: options)
        let second = try await pipeline.image(for: source, options: options)
        let count = await runs.all().count
        return first.image.pixels[10, 10] == .red && second.cacheType == .memory && count == 1
    }
    await checks.row("E23", "an array of processors is a chain, which uses the cached result of its first steps") {
        let (pipeline, source, runs) = (try checks.pipeline(), try checks.source("/pic/e23.png"), Recorder<Int>())
        let painted = Painted(color: .red, runs: runs)
        _ = try await pipeline.image(for: source, options: [.processor(painted), .waitForCache])
        let result = try await pipeline.image(for: source, options: [.processor(painted |> .roundCorners(50))])
        let (_, sizes) = try await checks.processed(
            "e23b", by: .crop(to: pixels(50, 50)) |> .resize(to: pixels(80, 80)))
        let count = await runs.all().count
        return result.image.pixels[0, 0].alpha == 0 && count == 1 && sizes.size == pixels(80, 80)
    }
    await checks.row("E24", "ImageDecoding: one for a pipeline; SandboxedDecoder with DecoderSandbox") {
        let (boxes, source) = (Recorder<PixelSize?>(), try checks.source("/pic/e24.png"))
        let own = ImagePipeline(cache: try checks.cache(), decoder: BoxDecoder(boxes: boxes))
        _ = try await own.image(for: source)
        let sandboxed = ImagePipeline(cache: try checks.cache(), decoder: SandboxedDecoder())
        // The product DecoderSandbox is not linked here.
        guard case .processor(.decoderUnavailable) = await imageError({ try await sandboxed.image(for: source) }) else {
            return false
        }
        return await boxes.all() == [nil] && !SandboxedDecoder.isAvailable
    }
    await checks.row("E25", "ImageEncoding is a serializer of the cache") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/e25.png"))
        let serializer = FormatIndicatedCacheSerializer.webP
        _ = try await pipeline.image(
            for: url, options: [.processor(.blackWhite), .cacheSerializer(serializer), .waitForCache])
        let file = await pipeline.cache.file(of: url.cacheKey, BlackWhiteProcessor())
        return file?.starts(with: Data("RIFF".utf8)) == true
    }
}

/// Records the boxes that pictures are decoded for.
private struct BoxDecoder: ImageDecoding {
    let boxes: Recorder<PixelSize?>

    func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try CodecDecoder().header(of: data, limits: limits)
    }

    func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        boxes.add(box)
        return try CodecDecoder().decode(data, within: box, limits: limits)
    }
}

// MARK: - Shared by the rows of Nuke

/// Fills a picture with a colour, and counts how often.
struct Painted: ImageProcessor {
    let color: Color
    let runs: Recorder<Int>

    var identifier: String { "painted(\(color.red),\(color.green),\(color.blue))" }

    func process(_ image: Image) -> Image {
        runs.add(1)
        return image.with(PixelBuffer(size: image.size, filledWith: color))
    }
}

/// Returns a downloader that is slow enough for partial pictures.
func slowDownloader() -> ImageDownloader {
    var limits = DownloadLimits()
    limits.bytesPerSecond = 80_000
    return ImageDownloader(limits: limits)
}
