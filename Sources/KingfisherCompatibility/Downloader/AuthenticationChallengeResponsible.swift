import AlcedoHTTPRequests
import Foundation
import FoundationNetworking

/// A source of credentials for challenges of a server: passwords (401, 407), and the trust in a certificate.
///
/// Programs write the methods with a result, or Kingfisher 7's with a handler, which by default answer with the default
/// handling.
public protocol AuthenticationChallengeResponsible: AnyObject {
    /// Answers a challenge; for `NSURLAuthenticationMethodServerTrust`, `.useCredential` accepts any certificate.
    func downloader(
        _ downloader: ImageDownloader, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    /// Answers a challenge for a password; by default the other variant does.
    func downloader(
        _ downloader: ImageDownloader, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    /// Answers a challenge by the handler.
    func downloader(
        _ downloader: ImageDownloader, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeHandler)
    /// Answers a challenge for a password by the handler.
    func downloader(
        _ downloader: ImageDownloader, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeHandler)
}

/// Receives the answer to a challenge.
public typealias ChallengeHandler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
/// Kingfisher's former name of the protocol.
public typealias AuthenticationChallengeResponsable = AuthenticationChallengeResponsible

extension AuthenticationChallengeResponsible {
    /// Asks the variant with a handler; trusts the downloader's trusted hosts if that answers with the default handling.
    public func downloader(
        _ downloader: ImageDownloader, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let answer = await withCheckedContinuation { continuation in
            self.downloader(downloader, didReceive: challenge) { continuation.resume(returning: ($0, $1)) }
        }
        let isTrusted = downloader.trustedHosts?.contains(challenge.protectionSpace.host) == true
        let asksForTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        return answer.0 == .performDefaultHandling && asksForTrust && isTrusted ? (.useCredential, nil) : answer
    }

    /// Asks the variant with a handler, then the variant without a task if that answers with the default handling.
    public func downloader(
        _ downloader: ImageDownloader, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let answer = await withCheckedContinuation { continuation in
            self.downloader(downloader, task: task, didReceive: challenge) { continuation.resume(returning: ($0, $1)) }
        }
        guard answer.0 == .performDefaultHandling else { return answer }
        return await self.downloader(downloader, didReceive: challenge)
    }

    /// Answers with the default handling.
    public func downloader(
        _ downloader: ImageDownloader, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeHandler
    ) { completionHandler(.performDefaultHandling, nil) }

    /// Answers with the default handling.
    public func downloader(
        _ downloader: ImageDownloader, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeHandler
    ) { completionHandler(.performDefaultHandling, nil) }
}

/// The method of challenges for the trust in a certificate, which Foundation does not offer on this platform.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// The certificate of a server, whose contents this platform does not show.
public struct SecTrust: Sendable {}

extension URLProtectionSpace {
    /// The certificate, in a challenge for trust.
    public var serverTrust: SecTrust? {
        authenticationMethod == NSURLAuthenticationMethodServerTrust ? SecTrust() : nil
    }
}

extension URLCredential {
    /// Creates a credential that accepts the certificate.
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}

/// The responder of a downloader, in the form of the library.
struct ChallengeBridge: AuthenticationChallengeResponder {
    weak let transport: Transport?

    func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer {
        guard let transport, let owner = transport.owner, let responder = transport.responder.value() else {
            return .performDefault
        }
        let asked = URLAuthenticationChallenge(
            url: challenge.url, realm: challenge.schemes.first?.realm,
            method: challenge.schemes.first?.name == "digest"
                ? NSURLAuthenticationMethodHTTPDigest : NSURLAuthenticationMethodHTTPBasic,
            failures: challenge.previousFailures)
        // Kingfisher's users get a task, which is never started here.
        let task = URLSession.shared.dataTask(with: challenge.url)
        let (disposition, credential) = await responder.downloader(owner, task: task, didReceive: asked)
        switch disposition {
        case .useCredential:
            guard let user = credential?.user, let password = credential?.password else { return .performDefault }
            return .credential(.basic(user: user, password: password))
        case .performDefaultHandling: return .performDefault
        case .cancelAuthenticationChallenge, .rejectProtectionSpace: return .cancel
        }
    }
}

extension URLAuthenticationChallenge {
    convenience init(url: URL, realm: String?, method: String, failures: Int) {
        let isSecure = url.scheme?.lowercased() == "https"
        let space = URLProtectionSpace(
            host: url.host() ?? "", port: url.port ?? (isSecure ? 443 : 80), protocol: url.scheme, realm: realm,
            authenticationMethod: method)
        self.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: failures, failureResponse: nil,
            error: nil, sender: ChallengeSender())
    }
}

/// The sender that Foundation asks for; the answer is the method's result.
private final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
