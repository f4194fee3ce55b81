import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading

/// A list item that is being processed.
struct ItemRecord: Sendable {
    let id: Int
    /// The list entry; its line is 0 if the list has no lines.
    let entry: ListEntry
    /// The redacted name of its list.
    let list: String
    /// The caption that its list gives.
    let caption: String?
    /// ``ListEntry/pictureName`` of the entry.
    let pictureName: String
    /// Whether the interrupted run finished it, so that nothing is to be done if it is still cached.
    var isReturning = false
    var attempts = 1
    /// The status code of the last failed response.
    var statusCode: Int?
    /// The file that it was written to, in the folder of the run.
    var file: String?
    /// The state of the file that it is, before it is read; only taken if somebody receives the pictures.
    var stamp: FileStamp?
    /// The facts of that file, if it was made of the picture.
    var written: WrittenFacts?
    /// The thumbnail for the report, as a data URL.
    var thumbnail: String?
    /// The facts of bytes that were refused.
    var refused: DataResult?

    init(id: Int, entry: ListEntry, list: String, columns: ColumnSettings = ColumnSettings()) {
        var entry = entry
        caption = columns.caption(of: entry)
        columns.narrow(&entry.columns)
        (self.id, self.entry, self.list) = (id, entry, list)
        pictureName = entry.pictureName
    }

    /// Identifies the work on the picture; the same picture may pass through several processors.
    var workName: String { entry.process.map { "\(pictureName)\n\($0)" } ?? pictureName }

    /// The line in its list, from 1; 0 for an argument.
    var line: Int { entry.line }

    /// The location without credentials and secrets.
    var shown: String { SafeText.clean(Redaction.display(entry.location)) }

    /// The bytes of a path that is no UTF-8; nil for other locations.
    var pathBytes: Data? { entry.location.hasPathEscapes ? Data(entry.location.pathBytes) : nil }

    /// The cache key without credentials and secrets.
    var shownKey: String { SafeText.clean(Redaction.display(entry.key ?? entry.location)) }

    /// Returns the redacted address that finally delivered the picture, after redirects or as a mirror; nil if it is
    /// the item's own.
    func place(of result: DataResult) -> String? {
        guard let url = result.url?.absoluteString else { return nil }
        let requested = WebAddress.url(entry.location)?.absoluteString ?? entry.location
        guard URLNormalizer.normalize(url) != URLNormalizer.normalize(requested) else { return nil }
        return SafeText.clean(Redaction.display(url))
    }

    /// The name and the host or folder, for a row of the screen.
    var row: BrowseItem { BrowseItem(id: ItemID(id), entry: entry) }
}

/// The outcome of an item.
enum ItemOutcome: Sendable {
    case finished(DataResult)
    case duplicate
    /// Completed by the interrupted run that this run resumes.
    case doneBefore
    /// Failed permanently in the interrupted run, with this error code.
    case failedBefore(code: Int)
    /// Not downloaded, because this is a dry run.
    case planned
    case failed(ImageError)
    /// Usable, but the filter of `--keep` does not select it.
    case leftOut(DataResult, by: String)
    /// Usable, but the filter of `--reject` selects it, so that it counts as failed.
    case rejected(DataResult, by: String)

    /// Whether the outcome adds information to that of the interrupted run.
    var isNews: Bool {
        switch self {
        case .finished, .leftOut, .rejected: true
        case .failed(let error): !error.isTaskCancelled
        case .duplicate, .doneBefore, .failedBefore, .planned: false
        }
    }
}

/// One of several parts of a list; each picture belongs to the same part on every machine and in every order.
package struct Shard: Sendable, Hashable {
    /// The unit that is never divided.
    package enum Unit: String, Sendable, CaseIterable {
        /// Each picture alone, by its key or address.
        case key
        /// All pictures of a host, so that each host is asked by one machine only.
        case host
    }

    /// From 1 to `count`.
    package let index: Int
    package let count: Int
    package let unit: Unit

    /// Parses `2/8`; returns nil for other text and for more than 65,536 parts.
    package init?(_ text: String, by unit: Unit = .key) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], (1...65_536).contains(count),
            (1...count).contains(index)
        else { return nil }
        (self.index, self.count, self.unit) = (index, count, unit)
    }

    package var text: String { "\(index)/\(count)" + (unit == .host ? " by host" : "") }

    /// Returns whether a picture belongs to this part.
    func contains(_ item: ItemRecord) -> Bool {
        let hash =
            switch unit {
            case .key: StableHash.hash(item.pictureName)
            case .host: StableHash.hash(WebAddress.url(item.entry.location)?.host()?.lowercased() ?? "")
            }
        return hash % UInt64(count) == UInt64(index - 1)
    }
}

/// Converts list entries into prefetch items.
package struct PrefetchItemBuilder {
    /// The options shared by all items.
    let options: ImageOptions
    private let variants: [any ImageProcessor]?

    /// - Parameter variants: The processors whose results are cached besides those of the entries; nil caches none.
    package init(options: ImageOptions, variants: [any ImageProcessor]?) {
        (self.options, self.variants) = (options, variants)
    }

    /// Returns the prefetch item for an entry; throws if the entry cannot be loaded.
    package func item(_ id: Int, _ entry: ListEntry) throws(ImageError) -> PrefetchItem {
        guard let source = SourceReference.source(for: entry.location, key: entry.key) else {
            throw .request(.invalidURL("only http, https, file and data can be read"))
        }
        var item = PrefetchItem(id: id, source: source, priority: entry.priority ?? options.download.priority)
        if entry.hasOwnLoadOptions || entry.process != nil {
            item.options = options(for: entry, key: source.cacheKey, priority: item.priority)
        }
        let own = try entry.process.map { text throws(ImageError) in [try Self.processor(text)] } ?? []
        item.variants = variants.map { $0 + own } ?? []
        return item
    }

    private func options(for entry: ListEntry, key: String, priority: Double) -> ImageOptions {
        var options = options
        options.download.priority = priority
        options.download.headers += entry.headers.map { HeaderField(name: $0.name, value: $0.value) }
        options.download.sha256 = entry.sha256
        // The file is made by the entry's own chain, after the check.
        if entry.process != nil { options.process.recipe = nil }
        // The alternatives are mirrors of the same picture, so all are cached under one key. A list from the network
        // may claim that only for its own host.
        options.download.alternativeSources = entry.alternatives.compactMap {
            SourceReference.source(for: $0, key: entry.isFromNetwork && entry.isOfAnotherHost($0) ? nil : key)
        }
        options.download.lowDataSource = entry.lowData.flatMap { SourceReference.source(for: $0) }
        if let life = entry.timeToLive {
            options.cache.diskCacheExpiration = .seconds(life / .seconds(1))
            // The lifetime counts from the download or the last revalidation. If each use extended it, a nightly run
            // would never revalidate.
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
    /// The identity of the picture in lists: its key, else its normalized location.
    var pictureName: String { key ?? URLNormalizer.normalize(location) }

    /// Whether it differs from other entries in how it is loaded.
    package var hasOwnLoadOptions: Bool {
        priority != nil || !headers.isEmpty || sha256 != nil || !alternatives.isEmpty || lowData != nil
            || timeToLive != nil
    }

    /// Why the entry's processor chain is invalid; nil if it is valid or missing.
    package var processProblem: String? {
        guard let process else { return nil }
        do throws(ProcessorGrammar.Problem) {
            _ = try ProcessorGrammar.parse(process)
            return nil
        } catch {
            return "process: \(error)"
        }
    }
}

extension BrowseItem {
    /// Creates an item with sanitized texts from a list entry.
    package init(id: ItemID, entry: ListEntry, duplicated: ItemID? = nil) {
        let shown = SafeText.clean(Redaction.display(entry.location), keepsEnd: true)
        let names = LocationNames(entry.location)
        let isFolder = entry.kind == .folder
        self.init(
            id: id, name: SafeText.clean(entry.title ?? names.name, keepsEnd: true) + (isFolder ? "/" : ""),
            place: SafeText.clean(names.place), location: shown, duplicated: duplicated, isFolder: isFolder)
    }
}
