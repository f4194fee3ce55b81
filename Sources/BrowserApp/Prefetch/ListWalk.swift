import Foundation
import ImageLoading
import Lists

/// Reads lists and the lists that they name.
struct ListWalk {
    /// An event of reading; list names are redacted.
    enum Finding {
        /// A picture. The entry's line is 0 if the list has no lines.
        case picture(ListEntry, list: String)
        /// A part of a usable line was left out.
        case noted(line: Int, list: String, reason: String)
        case rejected(line: Int, list: String, reason: String)
        /// A list named by another list cannot be read, or not completely.
        case unreadLink(line: Int, list: String, reason: String)
        /// A list named by the user cannot be read, or not completely.
        case unread(list: String, reason: String)
    }

    typealias Document = (data: Data, url: URL)

    private let base: ListBase?
    private let document: (URL) async throws(ImageError) -> Document
    private var following = ListFollowing()

    /// - Parameters:
    ///   - base: The base of relative addresses; nil means each list's own address.
    ///   - document: Downloads a list.
    init(base: ListBase?, document: @escaping (URL) async throws(ImageError) -> Document) {
        self.base = base
        self.document = document
    }

    /// Reads one list until its end, until `take` returns false, or until the task is cancelled.
    mutating func read(_ list: String, _ take: (Finding) async -> Bool) async {
        let shown = Redaction.display(list)
        do throws(ListError) {
            let source = try ListSource.detect(list)
            guard let location = source.listOnTheWeb else {
                return try await read(ListReader(source, base: base), as: shown, depth: 0, take)
            }
            following.markFollowed(location)
            let reader: ListReader
            do throws(ImageError) { reader = try await self.reader(of: location) } catch {
                let reason = "\(Redaction.display(location)): \(error.title)"
                if !error.isTaskCancelled { _ = await take(.unread(list: shown, reason: reason)) }
                return
            }
            try await read(reader, as: Redaction.display(location), depth: 0, take)
        } catch {
            if error != .cancelled { _ = await take(.unread(list: shown, reason: "\(error)")) }
        }
    }

    private mutating func read(
        _ reader: ListReader, as list: String, depth: Int, _ take: (Finding) async -> Bool
    ) async throws(ListError) {
        for try await event in reader {
            switch event {
            case .warning(let line, let reason):
                guard await take(.noted(line: line, list: list, reason: reason)) else { return }
            case .rejected(let line, let reason):
                guard await take(.rejected(line: line, list: list, reason: reason)) else { return }
            case .entry(let entry) where !ListFollowing.mayName(entry, in: reader.source):
                let reason = ListFollowing.fileReason
                guard await take(.rejected(line: entry.line, list: list, reason: reason)) else { return }
            case .entry(let entry) where entry.kind == .list:
                guard await follow(entry, of: list, depth: depth, take) else { return }
            case .entry(var entry):
                if !reader.hasLines { entry.line = 0 }
                guard await take(.picture(entry, list: list)) else { return }
            }
        }
    }

    /// Reads a list named by another one; returns whether to go on.
    private mutating func follow(
        _ entry: ListEntry, of list: String, depth: Int, _ take: (Finding) async -> Bool
    ) async -> Bool {
        if case .refuse(let reason) = following.step(to: entry.location, depth: depth) {
            return await take(.rejected(line: entry.line, list: list, reason: reason))
        }
        let shown = Redaction.display(entry.location)
        var goesOn = true
        do {
            try await read(try await reader(of: entry.location), as: shown, depth: depth + 1) { finding in
                goesOn = await take(finding)
                return goesOn
            }
        } catch {
            let reason = (error as? ImageError)?.title ?? "\(error)"
            goesOn = await take(.unreadLink(line: entry.line, list: list, reason: "\(shown): \(reason)"))
        }
        return goesOn
    }

    private func reader(of location: String) async throws(ImageError) -> ListReader {
        guard ListFollowing.isWeb(location), let url = WebAddress.url(location) else {
            guard location.hasPrefix("/") else { throw .request(.invalidURL("this is no list")) }
            return ListReader(.file(location), base: base)
        }
        let found = try await document(url)
        return ListReader(document: found.data, from: found.url.absoluteString, base: base)
    }
}
