import Foundation
import Synchronization

/// What to fetch and how.
public struct DownloadRequest: Sendable, Identifiable {
    /// Names this request in the queue; copies share it.
    public let id: Int
    /// What to fetch; http and https only.
    public var url: URL
    /// Sent to the URL's own origin only, never across a redirect to another.
    public var headers: [(name: String, value: String)]
    /// Asks whether what these belong to still holds, with an answer without a body if so; nil by default.
    public var validators: Validators?
    /// Where a broken transfer leaves what came, and the next attempt finds it; nil, no resumption, by default.
    public var partial: PartialBody?
    /// Hears the body's bytes as they arrive, with where in the file they begin; nil by default.
    ///
    /// A body that begins anew begins at 0 again. Nothing is told of bytes that a hook has still to turn into a picture.
    public var onBytes: (@Sendable (_ bytes: Data, _ offset: Int) -> Void)?
    /// Hears the status of each answer, and where redirects have led so far; nil by default.
    public var onAnswer: (@Sendable (_ statusCode: Int, _ redirects: [URL]) -> Void)?
    /// Whether a list is fetched, not a picture: its bytes are not looked at; false by default.
    public var isDocument = false
    /// Checks a body as it arrives, and refuses one that is not wanted; nil by default, which accepts all bytes.
    ///
    /// A body that a hook changes is checked after that.
    public var bodyCheck: BodyCheck?
    /// Edits the request before it is queued; nil by default.
    public var modifier: (any RequestModifier)?
    /// Sees every redirect; nil by default.
    public var redirectHandler: (any RedirectHandler)?
    /// Watches this transfer, in place of the downloader's hooks; nil by default.
    public var hooks: (any DownloadHooks)?

    private static let lastID = Atomic(0)

    /// A request with a number of its own; all else is off.
    public init(url: URL, headers: [(name: String, value: String)] = []) {
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.url = url
        self.headers = headers
    }
}

/// Judges the first bytes of a body; `isWhole` tells that no more will come.
public typealias BodyCheck = @Sendable (_ bytes: Data, _ isWhole: Bool) -> BodyVerdict

/// The result of a `BodyCheck`.
public enum BodyVerdict: Sendable, Hashable {
    case accepted
    /// More bytes are needed.
    case undecided
    /// Ends the transfer with `.response(.notAnImage)`; the text says what the body looks like.
    case refused(String)
}

/// One request header.
public struct HeaderField: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
