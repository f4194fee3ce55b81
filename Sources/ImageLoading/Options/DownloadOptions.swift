import Retrying

/// Options for fetching bytes.
public struct DownloadOptions: Sendable {
    /// The downloader; the pipeline's own if nil, the default.
    public var downloader: (any DataDownloading)?
    /// The priority, 0…1, 0.5 by default; higher starts sooner.
    public var priority = 0.5
    /// Headers for the source's own origin; not sent to other origins, neither after a redirect nor to alternatives.
    public var headers: [HeaderField] = []
    /// A modifier for each request before it is queued; nil by default.
    public var requestModifier: (any RequestModifier)?
    /// A handler that receives every redirect and can edit or stop it; nil by default.
    public var redirectHandler: (any RedirectHandler)?
    /// Callbacks that observe and control the transfers of this image, instead of the downloader's; nil by default.
    public var hooks: (any DownloadHooks)?
    /// The strategy for retries; nil by default, which means one attempt.
    public var retryStrategy: (any RetryStrategy)?
    /// The longest delay to wait when a server asks for one, 60 s by default.
    ///
    /// If a server asks for a longer delay, the transfer fails.
    public var serverDelayLimit = Duration.seconds(60)
    /// Sources to try in order after the source failed, each with its own retries; none by default.
    public var alternativeSources: [Source] = []
    /// The source to use instead on a constrained network; nil by default.
    public var lowDataSource: Source?
    /// The expected SHA-256 of the bytes, 64 lower-case hexadecimal digits; nil, the default, accepts all bytes.
    ///
    /// Other bytes are an error; they are neither stored nor read from a cache.
    public var sha256: String?
    /// Looks at each picture instead of storing it; nil by default.
    package var inspection: Inspection?
    /// Whether the network is expensive or slow; false by default.
    public var isNetworkConstrained = false

    public init() {}
}

/// How much of a picture is fetched to learn its facts.
package enum Inspection: Sendable, Hashable {
    /// The first bytes, which have the header of most files.
    case beginning(bytes: Int)
    /// The whole file, whose pixels are decoded.
    case whole
}
