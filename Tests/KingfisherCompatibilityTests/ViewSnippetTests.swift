import KingfisherCompatibility
import TestSupport
import Testing

/// Programs as users of Kingfisher write them: views, options, the builder.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ViewSnippetTests {
    private let place: Place
    private let screen = Screen()
    private let imageView: TerminalImageView

    init() async throws {
        place = try await Place()
        imageView = screen.view
        // Loads of views go through the shared manager; keys are addresses with a port of their own.
        KingfisherManager.shared.cache = try SharedCache.cache.get()
    }

    private func shown(_ set: (@escaping ImageCompletionHandler) -> Void) async
        -> Result<RetrieveImageResult, KingfisherError>
    {
        await withCheckedContinuation { continuation in set { continuation.resume(returning: $0) } }
    }

    @Test func `the first example of the manual`() async throws {
        let url = try place.url("/image.png")
        imageView.kf.setImage(with: url)
        await until { imageView.image != nil }
        #expect(imageView.image?.size.width == 60)
    }

    @Test func `the long example of the manual`() async throws {
        let url = try place.url("/high_resolution_image.png")
        let placeholderImage = try Place.image(.blue)
        let processor =
            DownsamplingImageProcessor(size: CGSize(width: 20, height: 20))
            |> RoundCornerImageProcessor(cornerRadius: 5)
        imageView.kf.indicatorType = .activity
        let outcome = await shown { done in
            imageView.kf.setImage(
                with: url,
                placeholder: placeholderImage,
                options: [
                    .processor(processor),
                    .scaleFactor(1),
                    .transition(.fade(0.05)),
                    .cacheOriginalImage,
                ]
            ) { result in
                switch result {
                case .success(let value):
                    print("Task done for: \(value.source.url?.absoluteString ?? "")")
                case .failure(let error):
                    print("Job failed: \(error.localizedDescription)")
                }
                done(result)
            }
        }
        let value = try outcome.get()
        #expect(value.image.size.width == 20 && value.cacheType == .none)
        #expect(KingfisherManager.shared.cache.isCached(forKey: url.cacheKey))
    }

    @Test func `the chain of methods`() async throws {
        let url = try place.url("/chain.png")
        let placeholderImage = try Place.image(.blue)
        let processor = DownsamplingImageProcessor(size: CGSize(width: 30, height: 30))
        let progressed = Recorder<Int64>()
        let outcome = await shown { done in
            KF.url(url)
                .placeholder(placeholderImage)
                .setProcessor(processor)
                .loadDiskFileSynchronously()
                .cacheMemoryOnly()
                .fade(duration: 0.02)
                .lowDataModeSource(.network(url))
                .retry(maxCount: 2, interval: .seconds(0))
                .targetCache(KingfisherManager.shared.cache)
                .callbackQueue(.mainAsync)
                .onProgress { receivedSize, _ in progressed.add(receivedSize) }
                .onSuccess { result in done(.success(result)) }
                .onFailure { error in done(.failure(error)) }
                .set(to: imageView)
        }
        let value = try outcome.get()
        #expect(value.image.size.width == 30)
        #expect(
            KingfisherManager.shared.cache.imageCachedType(
                forKey: url.cacheKey, processorIdentifier: processor.identifier) == .memory)
        #expect(!progressed.all.isEmpty)
    }

    @Test func `the builder's other beginnings`() async throws {
        let data = try Place.picture(.green)
        let url = try place.url("/builder.png")
        let beginnings: [KF.Builder] = [
            KF.url(url, cacheKey: "key"), KF.source(.network(url)), KF.resource(url),
            KF.dataProvider(RawImageDataProvider(data: data, cacheKey: "raw")), KF.data(data, cacheKey: "data"),
            KF.resource(KF.ImageResource(downloadURL: url, cacheKey: "own")),
        ]
        for beginning in beginnings {
            let outcome = await shown { done in
                beginning.blur(radius: 1).roundCorner(radius: .point(3)).tint(color: .red).blackWhite()
                    .resizing(referenceSize: CGSize(width: 10, height: 10), mode: .aspectFit)
                    .serialize(by: FormatIndicatedCacheSerializer.png)
                    .requestModifier { $0.setValue("1", forHTTPHeaderField: "X-A") }
                    .imageModifier { image in image = image.with(image.pixels) }
                    .memoryCacheExpiration(.seconds(10)).diskCacheExpiration(.never)
                    .memoryCacheAccessExtending(.cacheTime)
                    .onSuccess { done(.success($0)) }.onFailure { done(.failure($0)) }.set(to: imageView)
            }
            #expect(outcome.value?.image.size.width == 10, "\(outcome)")
        }
    }

    @Test func `a file, bytes and base64 text`() async throws {
        let data = try Place.picture(.green)
        let path = try place.folder.write("a.png", data)
        let url = URL(fileURLWithPath: path)
        let provider = LocalFileImageDataProvider(fileURL: url)
        let outcomes = [
            await shown { imageView.kf.setImage(with: provider, completionHandler: $0) },
            await shown { imageView.kf.setImage(with: url, completionHandler: $0) },
            await shown {
                imageView.kf.setImage(
                    with: RawImageDataProvider(data: data, cacheKey: "bytes"), completionHandler: $0)
            },
            await shown {
                imageView.kf.setImage(
                    with: Base64ImageDataProvider(base64String: data.base64EncodedString(), cacheKey: "some-cache-key"),
                    completionHandler: $0)
            },
            await shown { imageView.kf.setImage(with: Source.provider(provider), completionHandler: $0) },
        ]
        for outcome in outcomes { #expect(outcome.value?.image.pixels[0, 0] == .green) }
    }

    @Test func `a resource with a key of its own`() async throws {
        let resource = ImageResource(downloadURL: try place.url("/a.png?token=1"), cacheKey: "my_cache_key")
        _ = await shown { imageView.kf.setImage(with: resource, completionHandler: $0) }
        #expect(KingfisherManager.shared.cache.isCached(forKey: "my_cache_key"))
        _ = await shown {
            imageView.kf.setImage(with: resource.convertToSource(overrideCacheKey: "other"), completionHandler: $0)
        }
        #expect(KingfisherManager.shared.cache.isCached(forKey: "other"))
    }

    @Test func `the methods directly on the view`() async throws {
        let url = try place.url("/direct.png")
        let outcome = await shown { done in
            imageView.setImage(with: url, placeholder: nil, options: [.forceRefresh], completionHandler: done)
        }
        #expect(outcome.value?.cacheType == CacheType.none)
    }

    @Test func `progress and cancellation`() async throws {
        let url = try place.url("/progress.png")
        let task = imageView.kf.setImage(
            with: url,
            progressBlock: { receivedSize, totalSize in
                let percentage = (Float(receivedSize) / Float(totalSize)) * 100.0
                print("downloading progress: \(percentage)%")
            })
        task?.cancel()
        imageView.kf.cancelDownloadTask()
    }

    private struct MyIndicator: Indicator {
        let view = IndicatorView()

        func startAnimatingView() { view.isHidden = false }
        func stopAnimatingView() { view.isHidden = true }

        init() { view.backgroundColor = .red }

        func sizeStrategy(in imageView: KFCrossPlatformImageView) -> IndicatorSizeStrategy {
            .size(CGSize(width: 20, height: 20))
        }
    }

    @Test func `an indicator of the program`() async throws {
        let i = MyIndicator()
        imageView.kf.indicatorType = .custom(indicator: i)
        #expect(i.view.rect == Rect(column: 9, row: 2, columns: 2, rows: 1))
    }

    @Test func `every option is accepted`() async throws {
        let (url, other) = (try place.url("/missing-options"), try place.url("/options.png"))
        let options: KingfisherOptionsInfo = [
            .targetCache(place.cache), .originalCache(place.cache), .downloader(place.downloader),
            .transition(.flipFromBottom(0.02)), .downloadPriority(0.8), .forceRefresh, .forceTransition,
            .cacheMemoryOnly, .waitForCache, .backgroundDecode, .callbackQueue(.mainAsync), .scaleFactor(2),
            .preloadAllAnimationData, .requestModifier(AnyModifier { request in request }),
            .redirectHandler(AnyRedirectHandler { _, _, request, completion in completion(request) }),
            .processor(BlurImageProcessor(blurRadius: 1)), .cacheSerializer(FormatIndicatedCacheSerializer.jpeg),
            .imageModifier(AnyImageModifier { $0 }), .keepCurrentImageWhileLoading, .onlyLoadFirstFrame,
            .cacheOriginalImage, .onFailureImage(nil), .alsoPrefetchToMemory, .loadDiskFileSynchronously,
            .diskStoreWriteOptions([.atomic]), .memoryCacheExpiration(.seconds(60)),
            .memoryCacheAccessExtendingExpiration(.expirationTime(.days(1))), .diskCacheExpiration(.never),
            .diskCacheAccessExtendingExpiration(.none), .processingQueue(.dispatch(DispatchQueue(label: "p"))),
            .progressiveJPEG(ImageProgressive(isBlur: false, isFastestScan: true, scanInterval: 0.1)),
            .alternativeSources([.network(other)]),
            .retryStrategy(DelayRetryStrategy(maxRetryCount: 1, retryInterval: .accumulated(0))),
            .lowDataMode(.network(other)), .forcedCacheFileExtension("png"), .asyncCacheTypeCheck,
        ]
        let outcome = await shown { imageView.kf.setImage(with: url, options: options, completionHandler: $0) }
        #expect(outcome.value?.source.url == other)
        let parsed = KingfisherParsedOptionsInfo(options + [.fromMemoryCacheOrRefresh, .onlyFromCache])
        #expect(parsed.onlyFromCache && parsed.scaleFactor == 2 && parsed.fromMemoryCacheOrRefresh)
    }
}

/// The cache of the shared manager for the tests of this process.
enum SharedCache {
    private static let folder = Result { try TemporaryFolder() }
    static let cache = Result { try ImageCache(name: "shared", cacheDirectoryURL: folder.get().url) }
}
