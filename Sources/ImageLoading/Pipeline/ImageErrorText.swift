import Foundation

extension ImageError {
    /// A stable number; Kingfisher's number for cases that Kingfisher has too.
    public var code: Int {
        switch self {
        case .request(let reason): reason.code
        case .response(let reason): reason.code
        case .cache(let reason): reason.code
        case .processor(let reason): reason.code
        case .imageSetting(let reason): reason.code
        }
    }

    /// A short description for a column or a heading: `404 Not Found`, `timed out`.
    public var title: String {
        switch self {
        case .request(let reason): reason.title
        case .response(let reason): reason.title
        case .cache(let reason): reason.title
        case .processor(let reason): reason.title
        case .imageSetting(let reason): reason.title
        }
    }
}

extension ImageError: LocalizedError, CustomStringConvertible {
    /// The title: what happened, for a person or a log.
    public var description: String { title }
    public var errorDescription: String? { title }
}

extension SourceFailure: LocalizedError, CustomStringConvertible {
    /// The source and what happened: "https://host/a.jpg: 404 Not Found".
    public var description: String { "\(address): \(error.title)" }
    public var errorDescription: String? { description }
}

extension ImageError.CacheReason {
    var code: Int {
        switch self {
        case .imageNotExisting: 3006
        case .cannotStore: 3009
        case .diskUnavailable: 3011
        }
    }

    var title: String {
        switch self {
        case .imageNotExisting: "not in the cache"
        case .diskUnavailable(let why): "the disk cache cannot be used: \(why)"
        case .cannotStore(let why): "not stored: \(why)"
        }
    }
}

extension ImageError.ImageSettingReason {
    var code: Int {
        switch self {
        case .emptySource: 5001
        case .notCurrentSourceTask: 5002
        case .dataProvider: 5003
        case .alternativeSourcesExhausted: 5004
        }
    }

    var title: String {
        switch self {
        case .emptySource: "no source"
        case .notCurrentSourceTask: "replaced by a newer request"
        case .dataProvider(let why): why
        case .alternativeSourcesExhausted(let failures): Self.title(of: failures)
        }
    }

    /// Returns a title that starts with the error of the source itself, because the source is what the user named.
    private static func title(of failures: [SourceFailure]) -> String {
        guard let first = failures.first?.error.title, let last = failures.last?.error.title else {
            return "every source failed"
        }
        switch failures.count - 1 {
        case 0: return first
        case 1: return "\(first); its mirror: \(last)"
        case let mirrors: return "\(first); the last of \(mirrors) mirrors: \(last)"
        }
    }
}
