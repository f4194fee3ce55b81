import FoundationEssentials
import Raster

/// Learning the facts of a picture without storing it.
extension ImagePipeline {
    /// Returns the facts of a picture, from the cache or from fetched bytes.
    ///
    /// If the beginning of a file does not contain its header, the whole file is fetched.
    func inspect(
        _ request: LoadRequest, _ inspection: Inspection, _ send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        if let known = await cachedResult(of: request, inspection) { return known }
        if case .network = request.source, request.policy == .cacheOnly {
            throw .cache(.imageNotExisting(key: request.source.cacheKey))
        }
        guard case .beginning = inspection, case .network(let resource) = request.source else {
            return try await wholeFacts(try await fetch(request, expired: nil, send: send), request, send)
        }
        let fetched = try await transfer(resource, request, send: send)
        guard fetched.download?.isBeginning == true else { return try await wholeFacts(fetched, request, send) }
        if let facts = await beginningFacts(fetched, request) {
            var beginning = fetched
            beginning.check = facts
            var result = DataResult(beginning)
            result.byteCount = fetched.download?.wholeLength ?? 0
            return result
        }
        var options = request.options
        options.download.inspection = .whole
        let whole = LoadRequest(source: request.source, options: options, cache: cache)
        return try await wholeFacts(try await fetch(whole, expired: nil, send: send), whole, send)
    }

    private func cachedResult(of request: LoadRequest, _ inspection: Inspection) async -> DataResult? {
        guard request.policy.readsDisk, let disk = request.originalsDisk,
            case .alive(let entry) = await disk.findRow(request.originalKey, extending: request.diskExtending),
            request.accepts(entry)
        else { return nil }
        guard inspection == .whole, entry.facts.perceptualHash == nil else { return DataResult(entry) }
        return await decodedResult(of: entry, on: disk, request)
    }

    /// Decodes an entry whose pixel facts are unknown, and stores the facts; nil if the entry is damaged.
    private func decodedResult(
        of entry: CacheEntry, on disk: DiskStorage, _ request: LoadRequest
    ) async -> DataResult? {
        guard let (data, entry) = await disk.data(for: request.originalKey, extending: request.diskExtending),
            let (facts, damage) = try? await check(FetchedData(data: data, cacheType: .disk), request),
            damage?.affectsPixels != true
        else { return nil }
        var known = entry
        known.facts.picture = facts.picture
        try? await disk.record(facts.picture, of: entry)
        return DataResult(known)
    }

    /// Returns the facts from the beginning of a file; nil if it does not contain the header.
    private func beginningFacts(_ fetched: FetchedData, _ request: LoadRequest) async -> ImageFacts? {
        let data = fetched.data
        let limits = request.options.process.limits
        let header = try? await queued(request, nil) { [decoder] () throws(ImageError) in
            try ImageError.wrapping { () throws(CodecError) in try decoder.header(of: data, limits: limits) }
        }
        guard let header = header ?? DeclaredHeader.read(data) else { return nil }
        var facts = PictureFacts(header)
        facts.verdict = .unchecked
        facts.orientation = StatedOrientation.read(data, header.format)
        facts.readExif(of: data)
        // The beginning of these formats does not tell the number of frames.
        if [.gif, .webP].contains(header.format) { facts.frames = nil }
        return ImageFacts(facts)
    }

    /// Returns the facts of a whole file, checked as `originalCheck` says.
    private func wholeFacts(
        _ fetched: FetchedData, _ request: LoadRequest, _ send: (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        var fetched = fetched
        do throws(ImageError) {
            let (facts, damage) = try await check(fetched, request)
            fetched.check = facts
            if let damage, damage.affectsPixels, !request.options.process.storesDamaged {
                throw .processor(.damaged(format: facts.format?.rawValue ?? "image", damage))
            }
        } catch {
            Self.report(error, on: fetched, send)
            throw error
        }
        fetched.check?.sha256 = ContentDigest(of: fetched.data).hexadecimal
        return DataResult(fetched)
    }
}
