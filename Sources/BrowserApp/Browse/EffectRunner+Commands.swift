import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import AlcedoTools
import FoundationEssentials
import ImageLoading
import Raster
import Retrying

/// The commands on items: export, removal from the cache, descriptions, opening in another program.
extension EffectRunner {
    private var library: ImageServices { context.library }
    private var listLoader: BrowserListLoader { context.listLoader }

    func setProcessor(_ chain: String) {
        do throws(ProcessorGrammar.Problem) {
            try context.choices.setProcessor(chain)
            neighbours.repeatLast()
        } catch {
            context.inbox.post(.processorRefused("\(error)", inForce: context.choices.processorText))
        }
    }

    /// Writes processed pictures and posts the result, or first asks what becomes of names that are taken in the folder.
    func export(_ items: [ItemID], to path: String, _ answers: [String: ConflictAnswer]? = nil) async {
        let path = wholePath(path)
        var batch = ExportBatch(of: items.count, to: path)
        if answers == nil, let folder = batch.folder {
            let plan = FilePlan(export: await exportedFiles(items, in: folder), into: folder)
            if !plan.conflicts.isEmpty { return context.inbox.post(.files(.planned(plan, items))) }
        }
        context.inbox.post(.notice("exporting…"))
        for item in items {
            let name = fileName(of: item)
            let answer = answers?[name]
            if answer == .skip {
                batch.skipped += 1
                continue
            }
            let file = await batch.add(name, mayReplace: answer == .replace, keepsBoth: answer == .keepBoth) {
                file throws(ProgramProblem) in
                let data = try await picture(of: item, for: file, context.choices.chain(of: item))
                if answer == .replace, FileStamp(path: file) != nil { try await trash(file) }
                return data
            }
            if answer == .replace, let file { await files.wrote(file) }
        }
        onOutcome(batch.hasFailed ? .warning(batch.outcome) : .notice(batch.outcome))
        if path.hasSuffix("/"), !batch.hasFailed { await folders.add(FileHistory.absolute(path)) }
    }

    /// Returns the names of exported pictures, with the sizes of those that are taken, as far as they are known.
    private func exportedFiles(_ items: [ItemID], in folder: String) async -> [FilePlan.File] {
        var files: [FilePlan.File] = []
        for item in items {
            let name = fileName(of: item)
            var bytes = -1
            if FileStamp(path: folder.inFolder(name)) != nil, context.choices.chain(of: item).identifier.isEmpty,
                let source = listLoader.source(item), case .onDisk(let known) = await library.status(of: source)
            {
                bytes = known
            }
            files.append(FilePlan.File(path: name, bytes: bytes, modified: -1))
        }
        return files
    }

    /// Moves a file that is replaced to the trash.
    private func trash(_ path: String) async throws(ProgramProblem) {
        let outcome = await files.perform(.trash, on: [path]) { _ in }.outcome
        if let failure = outcome.failures.first { throw ProgramProblem(failure.text) }
    }

    /// Removes the pictures of these items from both cache tiers and posts the result.
    func removeFromCache(_ items: [ItemID]) async {
        var removed: [ItemID] = []
        var hasFailed = false
        for item in items {
            guard let key = listLoader.source(item)?.cacheKey else { continue }
            do throws(DiskCacheError) {
                if try await library.cache.removeImages(forKey: key) > 0 { removed.append(item) }
            } catch {
                hasFailed = true
            }
        }
        prefetch.exclude(removed)
        if !removed.isEmpty { context.inbox.post(.removedFromCaches(removed)) }
        let outcome = hasFailed ? "the disk cache cannot be changed now" : Self.removal(of: removed.count)
        context.inbox.post(.notice(outcome))
        context.usage.scheduleReport()
    }

    private static func removal(of count: Int) -> String {
        switch count {
        case 0: "nothing cached"
        case 1: "removed from the cache: r loads it again"
        default: "removed \(count) from the cache"
        }
    }

    /// Posts the facts about an item, unless another description is wanted before they are known.
    func describe(_ item: ItemID, _ picture: PictureID?) {
        description?.cancel()
        let pixels = picture.flatMap(presenter.pixels)
        description = Task {
            let lines = await facts(about: item)
            let histogram = await Self.histogram(of: pixels)
            if !Task.isCancelled { context.inbox.post(.described(item, lines, histogram: histogram)) }
        }
    }

    @concurrent
    private nonisolated static func histogram(of pixels: PixelBuffer?) async -> [Double] {
        pixels.map(BrightnessHistogram.shares) ?? []
    }

    @concurrent
    private nonisolated static func capture(of file: Data) async -> CaptureFacts { CaptureFacts(file: file) }

    /// Returns the facts about an item: its cache entry, its transfer, its metadata.
    private func facts(about item: ItemID) async -> [DetailLine] {
        let (transfer, history) = (context.transfers[item], context.statuses.history(of: item))
        guard let source = listLoader.source(item) else { return [] }
        let entry = await library.cache.disk?.entry(for: CacheEntryKey(source: source.cacheKey))
        var capture: CaptureFacts?
        if let file = await library.original(of: source, entry) { capture = await Self.capture(of: file) }
        return ItemDescription(
            entry: entry, transfer: transfer, capture: capture, now: Date(),
            smaller: listLoader.smallerLocation(of: item).map(Redaction.display), history: history,
            host: source.url.map(hostText), modified: await modificationTimes(of: [item])[item]
        ).lines
    }

    func inspect(at path: String) async {
        context.inbox.post(.pathInspected(path, await PathCompletion.kind(of: path, from: place)))
    }

    func listPaths(_ beginning: String) async {
        context.inbox.post(
            .paths(beginning: beginning, await PathCompletion.paths(beginning: beginning, from: place)))
    }

    /// Returns the state of an address's host in words.
    private func hostText(of url: URL) -> String {
        guard let state = library.pipeline.hosts.troubledHosts().first(where: { $0.host == url.hostKey }) else {
            return "\(url.hostKey), no trouble"
        }
        let host = HostStatus(state)
        return "\(host.host) \(host.words(seconds: host.seconds)), retries \(host.retriesUsed)/\(host.retriesAllowed)"
    }

    /// Opens an item's address or path with the opener; posts why it failed.
    func open(_ item: ItemID) async {
        guard let location = listLoader.location(item) else { return }
        if isInArchive(item) {
            return context.inbox.post(
                .notice("other programs cannot open a picture in an archive; e saves it as a file"))
        }
        // The path of a program may have blanks.
        let isPath = FileManager.default.isExecutableFile(atPath: settings[.opener])
        let text = isPath ? Console.quoted(settings[.opener]) : settings[.opener]
        do throws(ProgramProblem) {
            try await ShellCommand(text: text, arguments: [location], readsMessages: false).run()
        } catch {
            context.inbox.post(.warning("\(settings[.opener]): \(error); the config file can set another opener"))
        }
    }

    func isInArchive(_ item: ItemID) -> Bool {
        if case .provider(_ as ArchiveMemberImageDataProvider)? = listLoader.source(item) { true } else { false }
    }

    /// Returns the file contents for an exported picture.
    private func picture(
        of item: ItemID, for path: String, _ processor: any ImageProcessor
    ) async throws(ProgramProblem) -> Data {
        guard let format = ExportProgram.format(ofFile: path) else {
            throw ProgramProblem("\(path): the name must end with png, jpg, webp or gif")
        }
        guard let source = listLoader.source(item) else { throw ProgramProblem("the item is gone") }
        do throws(ImageError) {
            var options = library.options(processor: processor)
            // A file cannot show that its picture has expired.
            options.cache.expiredGracePeriod = nil
            let image = try await library.pipeline.image(for: source, options: options).image
            // A picture that is not processed and has the right format already keeps its bytes.
            if processor.identifier.isEmpty, image.format == format, let data = await library.original(of: source) {
                return data
            }
            return try await image.file(as: format, processor, library.limits)
        } catch {
            throw ProgramProblem("\(path.pathName): \(error.title)")
        }
    }

    /// Returns the last part of the address, made safe as a file name, with an extension of a format that can be
    /// written.
    func fileName(of item: ItemID) -> String {
        let location = listLoader.location(item) ?? ""
        let path = location.hasPrefix("/") ? location : WebAddress.url(location)?.filePath ?? location
        let last = SafeText.clean(path.standardPath.pathName, limit: 4096)
        let safe = String(last.map { $0.isLetter || $0.isNumber || "-_. ".contains($0) ? $0 : "_" }.prefix(120))
        let stem = safe.drop { $0 == "." }
        let name = stem.isEmpty ? "picture" : String(stem)
        return ExportProgram.format(ofFile: name) == nil ? "\(name).png" : name
    }
}
