import FoundationEssentials
import Synchronization

/// A request for one address, with its options.
public struct DownloadRequest: Sendable, Identifiable {
    /// The identifier of this request in the queue; copies share it.
    public let id: Int
    /// The address to fetch; http and https only.
    public var url: URL
    /// The header fields for the URL's own origin; a redirect to another origin drops them.
    public var headers: [HeaderField]
    /// The time for the whole transfer, redirects included; nil, the default, means `DownloadLimits.total`.
    public var timeout: Duration?
    /// The validators of a known version, for a conditional request; nil by default.
    ///
    /// If the version is still current, the server responds without a body.
    package var validators: Validators?
    /// Called with the bytes of the body as they arrive, and their offset in the body; nil by default.
    ///
    /// A body that restarts begins at offset 0 again. Not called if the body has a data modifier or a content
    /// coding.
    package var onBytes: (@Sendable (_ bytes: Data, _ offset: Int) -> Void)?
    /// Called with the status of each response and the redirect targets so far; nil by default.
    package var onAnswer: (@Sendable (_ statusCode: Int, _ redirects: [URL]) -> Void)?
    /// The number of bytes to fetch from the beginning of the body; nil, the default, fetches the whole body.
    ///
    /// The request asks for a range. If the server sends more, the transfer ends after these bytes.
    package var firstBytes: Int?
    /// Whether the request fetches a list and not a picture; false by default.
    package var isDocument = false
    /// A check that can refuse the body while it arrives; nil, the default, accepts every body.
    ///
    /// If the hooks have a data modifier, the check receives the modified body.
    public var bodyCheck: BodyCheck?
    /// The modifier that edits the request before it is queued; nil by default.
    package var modifier: (any RequestModifier)?
    /// The handler of every redirect; nil by default.
    public var redirectHandler: (any RedirectHandler)?
    /// The hooks of this transfer, which replace the downloader's; nil by default.
    package var hooks: (any DownloadHooks)?

    private static let lastID = Atomic(0)

    /// Creates a request with a new identifier and no options.
    public init(url: URL, headers: [HeaderField] = []) {
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.url = url
        self.headers = headers
    }
}

/// A function that judges the first bytes of a body; `isWhole` is true if no more bytes will follow.
public typealias BodyCheck = @Sendable (_ bytes: Data, _ isWhole: Bool) -> BodyVerdict

/// The result of a `BodyCheck`.
public enum BodyVerdict: Sendable, Hashable {
    /// The body is what was asked for.
    case accepted
    /// The check needs more bytes.
    case undecided
    /// Fails the transfer with `.response(.notAnImage)`; the text says what the body looks like.
    case refused(String)
    /// Fails the transfer with `.response(.notAccepted)`; the text names the format.
    case notAccepted(String)
}

/// One header field.
public struct HeaderField: Sendable, Hashable {
    /// The name, whose case has no meaning.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) { (self.name, self.value) = (name, value) }
}
