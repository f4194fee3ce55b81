import FaultServer
import TestSupport

extension HTTP2Server {
    /// Starts a server that answers everything with the same body, after its gate or at once.
    static func start(_ identity: TestIdentity, body: [UInt8], gate: Gate? = nil) async throws -> HTTP2Server {
        let server = try await start(tls: identity.serverTLS()) { _ in HTTP2Answer(body: body) }
        if let gate { server.hold(at: gate) }
        return server
    }

    /// Makes the requests that come from now on wait at a gate.
    func hold(at gate: Gate) { hold { await gate.pass() } }
}
