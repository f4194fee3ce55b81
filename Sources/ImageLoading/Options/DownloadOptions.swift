import Retrying

/// How bytes are fetched.
public struct DownloadOptions: Sendable {
    /// Fetches instead of the pipeline's own downloader; nil by default.
    public var downloader: (any DataDownloading)?
    /// 0…1, 0.5 by default; higher is sooner.
    public var priority = 0.5
    /// Sent to the source's own origin only: neither after a redirect to another, nor to an alternative source there.
    public var headers: [HeaderField] = []
    /// Edits each request before it is queued; nil by default.
    public var requestModifier: (any RequestModifier)?
    /// Sees every redirect, and may edit or stop it; nil by default.
    public var redirectHandler: (any RedirectHandler)?
    /// Watches and steers this picture's transfers, in place of the downloader's hooks; nil by default.
    public var hooks: (any DownloadHooks)?
    /// Tries failed transfers again; nil by default, one attempt.
    public var retryStrategy: (any RetryStrategy)?
    /// The longest delay that a server may ask for and is waited for, 60 s by default; where it asks for more, the
    /// transfer fails.
    public var serverDelayLimit = Duration.seconds(60)
    /// Tried in order when the source has failed, each with its own retries; none by default.
    public var alternativeSources: [Source] = []
    /// Takes the source's place on a constrained network; nil by default.
    public var lowDataSource: Source?
    /// What the SHA-256 of the bytes must be, 64 hexadecimal digits in lower case; nil, anything, by default.
    ///
    /// Other bytes are an error and are neither cached nor taken from a cache.
    public var sha256: String?
    /// Whether the network is dear or slow; off by default.
    public var isNetworkConstrained = false

    public init() {}
}
