import Foundation
import ImageLoading
import Retrying
import TerminalGraphics

/// Prefetches a list into the cache and prints the results.
func prefetch(_ urls: [URL], in folder: CacheFolder) async throws {
    let pipeline = ImagePipeline(cache: ImageCache(disk: try DiskStorage(folder: folder)))
    let options: ImageOptions = [.retryStrategy(Retrier(PatientPolicy()).giveUpAfter(maxAttempts: 3))]
    let prefetcher = ImagePrefetcher(sources: urls.map(Source.init(url:)), options: options, pipeline: pipeline)
    let indicator = CountingIndicator()
    for await event in await prefetcher.start() {
        guard case .load(_, .progress(let progress)) = event else { continue }
        let moment = IndicatorContext(elapsed: .zero, received: progress.received, total: progress.total)
        if case .text(let lines) = indicator.frame(moment) { print(lines.joined(separator: "\n")) }
    }
    let results = await prefetcher.results
    print("\(results.completed.count) fetched, \(results.skipped.count) known, \(results.failed.count) failed")
}
