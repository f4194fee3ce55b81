import AlcedoHTTPDownload
import AlcedoHTTPRequests
import TestSupport

/// Records the challenges that it gets, and replies as scripted.
struct ScriptedResponder: AuthenticationChallengeResponder {
    let seen = Recorder<AuthenticationChallenge>()
    let reply: @Sendable (AuthenticationChallenge) -> ChallengeAnswer

    func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer {
        seen.add(challenge)
        return reply(challenge)
    }
}
