import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster

/// The thumbnails of a run, and the folder that gets its pictures.
extension PrefetchProgram {
    /// Adds a thumbnail for the report; a cached picture is decoded for it.
    func addThumbnail(_ id: Int, _ result: DataResult) async {
        guard report != nil, thumbnails < settings.thumbnails, let entry = running[id]?.entry else { return }
        var image = result.facts?.thumbnail
        if image == nil, result.outcome == .hit, let source = source(of: entry) {
            var options = library.options(processor: DownsamplingImageProcessor(size: Self.thumbnailSize))
            options.cache.policy = .cacheOnly
            image = try? await library.pipeline.image(for: source, options: options).image
        }
        guard let image, let file = try? ImageEncoder.encode(image, as: .jpeg, quality: 60) else { return }
        thumbnails += 1
        running[id]?.thumbnail = "data:image/jpeg;base64,\(file.base64EncodedString())"
    }

    private static let thumbnailSize = PixelSize(width: 128, height: 128)

    /// Judges a usable picture by the filters of `--reject` and `--keep`.
    func chosen(_ id: Int, _ outcome: ItemOutcome) -> ItemOutcome {
        guard keep != nil || reject != nil, case .finished(let result) = outcome,
            let item = running[id],
            let facts = ReportConversion.item(Data(JSONLine.bytes(of: ItemReport(item, outcome))))
        else { return outcome }
        if let reject, reject.accepts(facts) { return .rejected(result, by: reject.text) }
        if let keep, !keep.accepts(facts) { return .leftOut(result, by: keep.text) }
        return outcome
    }

    /// Writes a picture into the folder, if there is one; most failures to write end the run.
    func packed(_ id: Int, _ outcome: ItemOutcome) async -> ItemOutcome {
        guard let sink, case .finished(let result) = outcome, let item = running[id],
            packedNames.insert(item.pictureName, at: id) == nil
        else { return outcome }
        let picture: SinkPicture
        do throws(ImageError) { picture = try await made(item, result) } catch { return .failed(error) }
        do throws(SinkProblem) {
            unrecorded.append(item.workName)
            let added = try sink.add(item, picture)
            running[id]?.file = added.file
            running[id]?.written = picture.report.written
            tally.written += 1
            if added.isKept { recordPacked() }
            return outcome
        } catch  where !error.endsRun {
            unrecorded.removeLast()
            return .failed(.cache(.cannotStore(error.text)))
        } catch {
            return endRun(error)
        }
    }

    /// Returns a picture for the folder, processed and encoded as the settings say.
    private func made(_ item: ItemRecord, _ result: DataResult) async throws(ImageError) -> SinkPicture {
        var report = ItemReport(item, .finished(result))
        guard let encoding = settings.encoding else {
            return SinkPicture(data: try await original(of: item), caption: item.caption, report: report)
        }
        let recipe = encoding.recipe(of: item.entry, report.picture.format)
        let data: Data
        if let made = result.facts?.newFile, made.recipe == recipe {
            data = made.data
        } else {
            data = try await library.newFile(
                of: try await original(of: item), by: recipe, allowsDamage: settings.keepsDamaged)
        }
        report.written = WrittenFacts(data, recipe.format, recipe: encoding.text(of: item.entry))
        return SinkPicture(data: data, caption: item.caption, report: report)
    }

    private func original(of item: ItemRecord) async throws(ImageError) -> Data {
        if let source = source(of: item.entry), let data = await library.original(of: source) { return data }
        throw .cache(
            .cannotStore(
                "it is gone, perhaps evicted, before it was written to the folder; max-size in [cache] limits the cache"
            ))
    }

    /// Returns the name in tar files and manifests, which is the same in every run.
    static func shardKey(of item: ItemRecord) -> String {
        StableHash.hash(item.pictureName).digits(16, radix: 16)
    }

    private func recordPacked() {
        for work in unrecorded { journal?.record(work) }
        unrecorded = []
    }

    /// Ends what the folder has unfinished.
    func finishSink() {
        guard let sink else { return }
        do throws(SinkProblem) {
            try sink.finish()
            recordPacked()
        } catch {
            _ = endRun(error)
        }
    }

    /// Ends the run, as nothing can be written; the pictures of an unfinished tar file are not recorded.
    private func endRun(_ problem: SinkProblem) -> ItemOutcome {
        unrecorded = []
        tally.sinkProblem = problem.text
        stopEarly()
        return .failed(.cache(.cannotStore(problem.text)))
    }

    /// Says early that the pictures of the lists will not fit into the cache, by the mean of those that were fetched.
    ///
    /// Lists are read as they are needed: the lines that were read until now may be enough to know it.
    func warnIfListOutgrowsCache() {
        guard !hasWarned, sink == nil, !settings.storesNothing, tally.fetched >= 100 else { return }
        let all = tally.bytesFetched / tally.fetched * (lastID + 1 - tally.duplicates)
        let limit = settings[.cacheBytes]
        guard all > limit else { return }
        hasWarned = true
        let amount = isListRead ? "about" : "at least"
        console.message(
            "the lists need \(amount) \(Units.bytes(all)), and the cache holds \(Units.bytes(limit)): the first pictures will be "
                + "evicted; raise max-size in [cache], or write them into a folder")
    }
}
