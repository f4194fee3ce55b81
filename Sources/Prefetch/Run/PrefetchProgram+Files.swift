import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import Foundation
import ImageLoading
import Raster

/// The thumbnails and the tar files of a run.
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

    /// Writes a picture into the tar file, if there is one; a failure to write ends the run.
    func packed(_ id: Int, _ outcome: ItemOutcome) async -> ItemOutcome {
        guard let shards, case .finished(let result) = outcome, let item = running[id],
            packedNames.insert(item.pictureName, at: id) == nil
        else { return outcome }
        guard let source = source(of: item.entry), let data = await library.original(of: source) else {
            return .failed(
                .cache(
                    .cannotStore(
                        "it is gone, perhaps evicted, before it was written to the tar file; max-size in [cache] limits the cache"
                    )))
        }
        do throws(ProgramProblem) {
            let key = Self.shardKey(of: item)
            let fileExtension = result.facts?.format?.fileExtension ?? "bin"
            unrecorded.append(item.workName)
            if try shards.add(
                key: key, fileExtension: fileExtension, data, facts: Data(JSONLine.bytes(of: ItemReport(item, outcome)))
            ) {
                recordPacked()
            }
            return outcome
        } catch {
            return endRun(error)
        }
    }

    /// Returns the name in tar files, which is the same in every run.
    static func shardKey(of item: ItemRecord) -> String {
        String(format: "%016llx", StableHash.hash(item.pictureName))
    }

    private func recordPacked() {
        for work in unrecorded { journal?.record(work) }
        unrecorded = []
    }

    /// Ends the last tar file.
    func finishShards() {
        guard let shards else { return }
        do throws(ProgramProblem) {
            try shards.finish()
            recordPacked()
        } catch {
            _ = endRun(error)
        }
    }

    /// Ends the run, as no tar file can be written; the pictures of the unfinished one are not recorded.
    private func endRun(_ problem: ProgramProblem) -> ItemOutcome {
        unrecorded = []
        tally.shardProblem = problem.description
        stopEarly()
        return .failed(.cache(.cannotStore(problem.description)))
    }
}
