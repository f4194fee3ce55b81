import Foundation

/// What a server (401) or proxy (407) wants before it answers.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// One way to satisfy it.
    public struct Scheme: Sendable, Hashable {
        /// In lower case: `basic`, `bearer`, `digest`.
        public var name: String
        /// What stands where the parameters could, for schemes like `negotiate`.
        public var token: String?
        /// By their names in lower case.
        public var parameters: [String: String]

        public init(name: String, token: String? = nil, parameters: [String: String] = [:]) {
            self.name = name
            self.token = token
            self.parameters = parameters
        }

        /// What the credentials are for, in the server's words.
        public var realm: String? { parameters["realm"] }
    }

    /// What was asked for, without user and password.
    public var url: URL
    /// Whether a proxy asks (407), as against the server (401).
    public var isProxy: Bool
    /// In the server's order; empty where a proxy refused a tunnel, since the client does not hand its fields over.
    public var schemes: [Scheme]
    /// How many answers to this challenge were refused before, in this transfer.
    public var previousFailures: Int
}

/// What to do about a challenge.
public enum ChallengeAnswer: Sendable, Hashable {
    /// Asks again with this, to the challenge's own origin only.
    case credential(Credential)
    /// Lets the transfer fail with the status, as without a responder.
    case performDefault
    /// Ends the transfer with `.response(.cancelledByDelegate)`.
    case cancel
}

/// Answers challenges, by asking a person or a store of secrets.
public protocol AuthenticationChallengeResponder: Sendable {
    /// Called for every 401, and for every 407 of a proxy in use; after three refused answers no more.
    func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer
}
