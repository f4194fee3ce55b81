import Foundation
import ImageLoading
import Lists

/// Converts list entries into prefetch items.
struct PrefetchItemBuilder {
    /// The options shared by all items.
    let options: ImageOptions
    let variants: [any ImageProcessor]

    /// Returns the prefetch item for an entry; throws if the entry cannot be loaded.
    func item(_ id: Int, _ entry: ListEntry) throws(ImageError) -> PrefetchItem {
        guard let source = SourceReference.source(for: entry.location, key: entry.key) else {
            throw .request(.invalidURL("only http, https, file and data can be read"))
        }
        var item = PrefetchItem(id: id, source: source, priority: entry.priority ?? options.download.priority)
        if entry.saysHow { item.options = options(for: entry, key: source.cacheKey, priority: item.priority) }
        item.variants =
            variants + (try entry.process.map { text throws(ImageError) in [try Self.processor(text)] } ?? [])
        return item
    }

    private func options(for entry: ListEntry, key: String, priority: Double) -> ImageOptions {
        var options = options
        options.download.priority = priority
        options.download.headers += entry.headers.map { HeaderField(name: $0.name, value: $0.value) }
        options.download.sha256 = entry.sha256
        // Mirrors of the same picture, so all are cached under one key.
        options.download.alternativeSources = entry.alternatives.compactMap {
            SourceReference.source(for: $0, key: key)
        }
        options.download.lowDataSource = entry.lowData.flatMap { SourceReference.source(for: $0) }
        if let life = entry.timeToLive {
            options.cache.diskCacheExpiration = .seconds(life / .seconds(1))
            // The life counts from the download or the last revalidation. If each use extended it, a nightly run would
            // never revalidate.
            options.cache.diskCacheAccessExtendingExpiration = .none
        }
        return options
    }

    private static func processor(_ text: String) throws(ImageError) -> any ImageProcessor {
        do throws(ProcessorGrammar.Problem) {
            return try ProcessorGrammar.parse(text)
        } catch {
            throw .processor(.processingFailed(identifier: "process", "\(error)"))
        }
    }
}

extension ListEntry {
    /// Whether it differs from other entries in how it is loaded.
    var saysHow: Bool {
        priority != nil || !headers.isEmpty || sha256 != nil || !alternatives.isEmpty || lowData != nil
            || timeToLive != nil
    }

    /// Why the entry's processor chain is invalid; nil if it is valid or missing.
    var processProblem: String? {
        guard let process else { return nil }
        do throws(ProcessorGrammar.Problem) {
            _ = try ProcessorGrammar.parse(process)
            return nil
        } catch {
            return "process: \(error)"
        }
    }
}
