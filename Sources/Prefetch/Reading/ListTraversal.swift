import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import ImageLoading

/// A reader of lists; a list that another list names is read at the place where it is named.
package struct ListTraversal {
    /// An event of reading; list names are redacted.
    package enum Event {
        /// A picture, or a subfolder if they are listed. The entry's line is 0 if the list has no lines.
        case picture(ListEntry, list: String)
        /// A part of a usable line was left out.
        case partOmitted(line: Int, list: String, reason: String)
        case lineRejected(line: Int, list: String, reason: String)
        /// A list cannot be read, or not completely.
        ///
        /// `line` and `list` are the place that names it; `line` is nil if the user named it.
        case listUnreadable(line: Int?, list: String, reason: String)
    }

    /// Downloads a list; returns its content and its address after redirects.
    package typealias Fetch = @Sendable (URL) async throws(ImageError) -> (data: Data, url: URL)

    private struct OpenList {
        let name: String
        let reader: ListReader
        /// The line of the outer list that names this one; nil if the user named it.
        let line: Int?
        var events: ListReader.Iterator
    }

    private var remaining: ArraySlice<String>
    private let base: ListBase?
    private let archiveOrder: ArchiveFolder.Order
    private let fetch: Fetch
    private let isFlat: Bool
    private let showsHidden: Bool
    private let columns: ColumnChoice
    private let ignoredQuery: IgnoredQuery
    /// The list that is read, preceded by those that contain it.
    private var open: [OpenList] = []
    private var following = ListFollowing()

    /// - Parameters:
    ///   - base: The base of relative addresses; nil means each list's own address.
    ///   - archiveOrder: The order of the pictures of an archive.
    ///   - isFlat: Whether the pictures of subfolders are listed, instead of the subfolders; true by default.
    ///   - showsHidden: Whether hidden files and folders are listed, too; false by default.
    ///   - columns: The columns that are read.
    ///   - ignoredQuery: What the keys of pictures lack of their addresses, unless the list gives a key.
    ///   - fetch: Downloads a list.
    package init(
        _ lists: [String], base: ListBase?, archiveOrder: ArchiveFolder.Order = .stored, isFlat: Bool = true,
        showsHidden: Bool = false, columns: ColumnChoice = ColumnChoice(),
        ignoredQuery: IgnoredQuery = IgnoredQuery(), fetch: @escaping Fetch
    ) {
        remaining = lists[...]
        (self.base, self.archiveOrder, self.isFlat, self.fetch) = (base, archiveOrder, isFlat, fetch)
        (self.showsHidden, self.columns, self.ignoredQuery) = (showsHidden, columns, ignoredQuery)
    }

    /// Returns the next event; nil after the last one, or if the task is cancelled.
    package mutating func next() async -> Event? {
        while !Task.isCancelled {
            guard let last = open.indices.last else {
                guard let list = remaining.popFirst() else { return nil }
                if let event = await openList(namedByUser: list) { return event }
                continue
            }
            let name = open[last].name
            do throws(ListError) {
                switch try await open[last].events.next() {
                case nil: open.removeLast()
                case .warning(let line, let reason): return .partOmitted(line: line, list: name, reason: reason)
                case .rejected(let line, let reason): return .lineRejected(line: line, list: name, reason: reason)
                case .entry(var entry):
                    entry.isFromNetwork = open[last].reader.source.isWeb
                    if let reason = ListFollowing.refusal(of: entry) {
                        return .lineRejected(line: entry.line, list: name, reason: reason)
                    }
                    if entry.kind == .list {
                        if let event = await openList(linkedBy: entry, of: name) { return event }
                        continue
                    }
                    if !open[last].reader.hasLines { entry.line = 0 }
                    if entry.key == nil { entry.key = ignoredQuery.key(of: entry.location) }
                    return .picture(entry, list: name)
                }
            } catch {
                let line = open.removeLast().line
                if error != .cancelled { return unreadable(name, line: line, "\(error)") }
            }
        }
        return nil
    }

    /// Opens a list; returns an event if that fails.
    private mutating func openList(namedByUser list: String) async -> Event? {
        let name = Redaction.display(list)
        do throws(ListError) {
            let source = try ListSource.detect(list)
            if let location = source.listOnTheWeb {
                following.markFollowed(location)
                return await openList(at: location, line: nil)
            }
            if case .archive(let path) = source { return await openArchive(path, name: name) }
            let reader = ListReader(source, base: base, isFlat: isFlat, showsHidden: showsHidden, columns: columns)
            push(reader, name: name, line: nil)
            return nil
        } catch {
            return unreadable(name, line: nil, "\(error)")
        }
    }

    private mutating func openArchive(_ path: String, name: String) async -> Event? {
        do throws(CodecError) {
            let (files, problem) = try await ArchiveReader.shared.members(of: path)
            let events = ArchiveFolder.events(of: files.map { ($0.name, $0.problem) }, in: path, archiveOrder)
            let reason = problem ?? (events.isEmpty ? "the archive has no pictures" : nil)
            push(ListReader(archive: path, events, problem: reason), name: name, line: nil)
            return nil
        } catch {
            return unreadable(name, line: nil, "\(name): \(error.title)")
        }
    }

    private mutating func openList(linkedBy entry: ListEntry, of list: String) async -> Event? {
        if let reason = following.refusal(of: entry.location, depth: open.count - 1) {
            return .lineRejected(line: entry.line, list: list, reason: reason)
        }
        return await openList(at: entry.location, line: entry.line)
    }

    private mutating func openList(at location: String, line: Int?) async -> Event? {
        let name = Redaction.display(location)
        do throws(ImageError) {
            push(try await reader(of: location), name: name, line: line)
            return nil
        } catch {
            return error.isTaskCancelled ? nil : unreadable(name, line: line, "\(name): \(error.title)")
        }
    }

    private mutating func push(_ reader: ListReader, name: String, line: Int?) {
        open.append(OpenList(name: name, reader: reader, line: line, events: reader.makeAsyncIterator()))
    }

    private func unreadable(_ name: String, line: Int?, _ reason: String) -> Event {
        .listUnreadable(line: line, list: open.last?.name ?? name, reason: reason)
    }

    private func reader(of location: String) async throws(ImageError) -> ListReader {
        guard ListFollowing.isWeb(location), let url = WebAddress.url(location) else {
            guard location.hasPrefix("/") else { throw .request(.invalidURL("this is no list")) }
            return ListReader(.file(location), base: base, columns: columns)
        }
        let found = try await fetch(url)
        return ListReader(
            document: found.data, from: found.url.absoluteString, base: base, columns: columns)
    }
}

/// Decides which nested lists are read, such as the sitemaps that a sitemap index names.
struct ListFollowing {
    /// Maximum nesting depth, and maximum number of followed lists.
    static let depthLimit = 3
    static let countLimit = 1000

    private var followed: Set<String> = []

    /// Returns why a list that another list names is not followed, or records that it is.
    ///
    /// `depth` is the depth of the naming list; lists named by the user have depth 0.
    mutating func refusal(of location: String, depth: Int) -> String? {
        guard depth < Self.depthLimit else { return "a list \(Self.depthLimit) lists deep is not followed" }
        guard followed.count < Self.countLimit else { return "more than \(Self.countLimit) lists are not followed" }
        return followed.insert(URLNormalizer.normalize(location)).inserted ? nil : "a list named before"
    }

    /// Records a list named by the user, which need not be followed again.
    mutating func markFollowed(_ location: String) { followed.insert(URLNormalizer.normalize(location)) }

    /// Returns why an entry is not loaded; nil if it may be.
    ///
    /// A list from the network must not name local files. It must not give a picture the address of another host as its
    /// key: the picture would be cached in place of the one at that address.
    static func refusal(of entry: ListEntry) -> String? {
        guard entry.isFromNetwork else { return nil }
        let places = [entry.location] + entry.alternatives + [entry.lowData].compactMap(\.self)
        if places.contains(where: { $0.hasPrefix("/") }) { return fileReason }
        return entry.key.map(entry.isOfAnotherHost) == true ? keyReason : nil
    }

    static let fileReason = "a list from the network names a file"
    static let keyReason = "a list from the network gives an address of another host as key"

    static func isWeb(_ location: String) -> Bool {
        ["http://", "https://"].contains { location.lowercased().hasPrefix($0) }
    }
}

extension ListSource {
    /// The address, if it has the extension of a list; otherwise nil.
    var listOnTheWeb: String? {
        guard isWeb, case .picture(let location) = self, let path = WebAddress.url(location)?.path() else { return nil }
        let name = path.lowercased()
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        return plain.split(separator: ".").last.map(String.init).map(Self.listExtensions.contains) == true
            ? location : nil
    }

    fileprivate var isWeb: Bool {
        if case .picture(let location) = self { ListFollowing.isWeb(location) } else { false }
    }
}
