import FoundationEssentials

/// A request for credentials from a server (401) or a proxy (407).
public struct AuthenticationChallenge: Sendable, Hashable {
    /// An authentication scheme that the server or proxy accepts.
    public struct Scheme: Sendable, Hashable {
        /// The scheme's name in lower case: `basic`, `bearer`, `digest`.
        public var name: String
        /// The token68 value that some schemes, such as `negotiate`, send instead of parameters.
        public var token: String?
        /// The parameters by their names in lower case.
        public var parameters: [String: String]

        package init(name: String, token: String? = nil, parameters: [String: String] = [:]) {
            (self.name, self.token, self.parameters) = (name, token, parameters)
        }

        /// The realm that the credentials are for, as the server names it.
        public var realm: String? { parameters["realm"] }
    }

    /// The requested address, without user and password.
    public var url: URL
    /// Whether the challenge comes from a proxy (407) and not from the server (401).
    public var isProxy: Bool
    /// The schemes in the server's order.
    ///
    /// Empty if a proxy refused to open a tunnel, because the HTTP client does not expose the fields of that
    /// response.
    public var schemes: [Scheme]
    /// The number of credentials that were refused before in this transfer.
    public var previousFailures: Int

    package init(url: URL, isProxy: Bool, schemes: [Scheme], previousFailures: Int) {
        (self.url, self.isProxy, self.schemes, self.previousFailures) = (url, isProxy, schemes, previousFailures)
    }
}

/// The response to a challenge.
public enum ChallengeAnswer: Sendable, Hashable {
    /// Sends the request again with this credential, to the origin of the challenge only.
    case credential(Credential)
    /// Fails the transfer with the status, as if there were no responder.
    case performDefault
    /// Fails the transfer with `.response(.cancelledByDelegate)`.
    case cancel
}

/// A source of credentials for challenges, for example a prompt or a password store.
public protocol AuthenticationChallengeResponder: Sendable {
    /// Returns the response to a challenge.
    ///
    /// The downloader calls this for every 401, and for every 407 of a proxy in use, until three credentials were
    /// refused in one transfer.
    func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer
}
