import BrowserCore
import Foundation
import ImageLoading
import Lists
import Raster
import Retrying

/// The commands on items that act outside the browser: export, removal from the cache, opening in another program.
@MainActor
struct ItemCommands {
    let library: ImageServices
    let feed: BrowserFeed
    /// The program that opens pictures.
    let opener: String

    /// Writes processed pictures and returns the batch with its result.
    func export(
        _ items: [ItemID], path: String, through chain: @MainActor (ItemID) -> any ImageProcessor
    ) async -> ExportBatch {
        var batch = ExportBatch(of: items.count, to: path)
        for item in items {
            await batch.add(fileName(of: item)) { file throws(ProgramProblem) in
                try await picture(of: item, for: file, chain(item))
            }
        }
        return batch
    }

    /// Removes the pictures of these items from both cache tiers.
    func removeFromCache(_ items: [ItemID]) async -> CacheRemoval {
        var removal = CacheRemoval()
        for item in items {
            guard let key = feed.source(item)?.cacheKey else { continue }
            do throws(DiskCacheError) {
                if try await library.cache.removeImages(forKey: key) > 0 { removal.removed.append(item) }
            } catch {
                removal.hasFailed = true
            }
        }
        return removal
    }

    /// Returns the facts about an item: its cache entry, its transfer, its metadata.
    func describe(_ item: ItemID, transfer: DownloadMetrics?, history: AttemptHistory?) async -> [DetailLine] {
        guard let source = feed.source(item) else { return [] }
        let disk = library.cache.disk
        let entry = await disk?.entry(for: CacheEntryKey(source: source.cacheKey))
        let file = await library.original(of: source, entry)
        return ItemDescription(
            entry: entry, transfer: transfer, capture: file.map(CaptureFacts.init(file:)), now: Date(),
            smaller: feed.smallerLocation(of: item).map(Redaction.display), history: history,
            host: source.url.map(hostText)
        ).lines
    }

    /// Returns the state of an address's host in words.
    private func hostText(of url: URL) -> String {
        guard let state = library.pipeline.hosts.troubledHosts().first(where: { $0.host == url.hostKey }) else {
            return "\(url.hostKey), no trouble"
        }
        let host = HostStatus(state)
        return "\(host.host) \(host.words(seconds: host.seconds)), retries \(host.retriesUsed)/\(host.retriesAllowed)"
    }

    /// Opens an item's address or path with the opener; returns the error message, or nil on success.
    func open(_ item: ItemID) -> String? {
        guard let location = feed.location(item) else { return "the item is gone" }
        if case .provider(_ as ArchiveMemberImageDataProvider)? = feed.source(item) {
            return "other programs cannot open a picture in an archive; e saves it as a file"
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [opener, location]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard Self.isInstalled(opener) else { return "\(opener) is not installed; set opener in the config file" }
        do { try process.run() } catch { return "\(opener) cannot be started" }
        return nil
    }

    /// Returns the file contents for an exported picture.
    private func picture(
        of item: ItemID, for path: String, _ processor: any ImageProcessor
    ) async throws(ProgramProblem) -> Data {
        guard let format = ExportSettings.format(ofFile: path) else {
            throw ProgramProblem("\(path): the name must end with png, jpg, webp or gif")
        }
        guard let source = feed.source(item) else { throw ProgramProblem("the item is gone") }
        do throws(ImageError) {
            var options = library.options(processor: processor)
            // A file cannot show that its picture has expired.
            options.cache.expiredGracePeriod = nil
            let image = try await library.pipeline.image(for: source, options: options).image
            // A picture that is not processed and has the right format already keeps its bytes.
            if processor.identifier.isEmpty, image.format == format, let data = await library.original(of: source) {
                return data
            }
            return try await Self.encoded(image, format)
        } catch {
            throw ProgramProblem("\(URL(filePath: path).lastPathComponent): \(error.title)")
        }
    }

    /// Returns the last part of the address, made safe as a file name, with an extension of a format that can be
    /// written.
    private func fileName(of item: ItemID) -> String {
        let location = feed.location(item) ?? ""
        let path = WebAddress.url(location)?.path(percentEncoded: false) ?? location
        let last = URL(filePath: path).lastPathComponent
        let safe = String(last.map { $0.isLetter || $0.isNumber || "-_. ".contains($0) ? $0 : "_" }.prefix(120))
        let stem = safe.drop { $0 == "." }
        let name = stem.isEmpty ? "picture" : String(stem)
        return ExportSettings.format(ofFile: name) == nil
            ? "\(item.rawValue + 1)-\(name).png" : "\(item.rawValue + 1)-\(name)"
    }

    @concurrent
    private static func encoded(_ image: Image, _ format: ImageFormat) async throws(ImageError) -> Data {
        try ImageError.wrapping { () throws(CodecError) in
            try ImageEncoder.encode(image, as: format, quality: ImageEncoder.standardQuality)
        }
    }

    private static func isInstalled(_ program: String) -> Bool {
        guard !program.contains("/") else { return FileManager.default.isExecutableFile(atPath: program) }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}

/// The result of removing items from the cache.
struct CacheRemoval {
    /// The items of which something was cached.
    var removed: [ItemID] = []
    /// Whether the disk cache refused a change.
    var hasFailed = false

    /// A line with the result.
    var outcome: String {
        if hasFailed { return "the disk cache cannot be changed now" }
        switch removed.count {
        case 0: return "nothing cached"
        case 1: return "removed from the cache: r loads it again"
        default: return "removed \(removed.count) from the cache"
        }
    }
}
