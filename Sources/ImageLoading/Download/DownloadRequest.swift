import Foundation

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
    /// Edits the request before it is queued; nil by default.
    public var modifier: (any RequestModifier)?
    /// Sees every redirect; nil by default.
    public var redirectHandler: (any RedirectHandler)?
    /// Watches this transfer, in place of the downloader's hooks; nil by default.
    public var hooks: (any DownloadHooks)?

    /// A request with a number of its own; all else is off.
    public init(url: URL, headers: [(name: String, value: String)] = []) {
        id = Source.Identifier.next()
        self.url = url
        self.headers = headers
    }
}
