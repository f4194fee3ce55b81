import AlcedoDemoServer
import FaultServer
import Foundation
import TestSupport
import Testing

/// The TLS of the servers of tests, as a client written in Python sees it.
@Suite(.timeLimit(.minutes(1))) struct TLSRelayTests {
    private let identity: TestIdentity
    private let folder: TemporaryFolder

    init() throws {
        identity = try TestIdentity()
        folder = try TemporaryFolder()
    }

    /// Trusts a root, asks for `/x`, and prints what it hears and how the connection ends.
    private static let client = #"""
        import json, socket, ssl, sys
        options = json.loads(sys.argv[1])
        context = ssl.create_default_context(cadata=options["root"])
        if options.get("maximum"):
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion[options["maximum"]]
        # Otherwise Python 3.11.2, as in Debian 12, takes an end without close_notify for a proper one.
        context.options &= ~getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)
        if options.get("protocols"):
            context.set_alpn_protocols(options["protocols"].split())
        if options.get("own"):
            context.load_cert_chain(options["own"])
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
        plain = socket.create_connection(("127.0.0.1", int(options["port"])))

        # An SSLSocket hides resets.
        def repeat(call, *arguments):
            while True:
                try:
                    return call(*arguments)
                except ssl.SSLWantReadError:
                    plain.sendall(outgoing.read())
                    data = plain.recv(65536)
                    incoming.write(data) if data else incoming.write_eof()
                finally:
                    if outgoing.pending:
                        plain.sendall(outgoing.read())

        try:
            repeat(tls.do_handshake)
            print(tls.version(), tls.selected_alpn_protocol())
            repeat(tls.write, b"GET /x HTTP/1.1\r\n\r\n")
            count = 0
            while True:
                data = repeat(tls.read, 65536)
                if not data:
                    break
                count += len(data)
                if count < 1000:
                    print(data.decode())
            print(count, "end")
        except ssl.SSLZeroReturnError:
            print(count, "end")
        except ssl.SSLCertVerificationError as error:
            print("verification:", error.verify_message)
        except ssl.SSLError as error:
            # Python 3.11.2 has no class of its own for an end without close_notify.
            early = error.reason == "UNEXPECTED_EOF_WHILE_READING"
            print("SSLEOFError" if early else type(error).__name__)
        except Exception as error:
            print(type(error).__name__)
        """#

    private func talk(
        _ tls: ServerTLS, _ script: FaultScript = .shortBody(Array("0123456789".utf8), sent: 10),
        root: TestIdentity? = nil, _ options: [String: String] = [:]
    ) async throws -> (output: String, requests: Int) {
        let server = try await FaultServer.start(["/x": [script]], tls: tls)
        var options = options
        options["root"] = (root ?? identity).certificatePEM
        options["port"] = "\(server.port)"
        let text = String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
        let output = try await Program.run(["python3", "-W", "ignore", "-c", Self.client, text]).output
        let requests = await server.requests.count
        await server.stop()
        return (output, requests)
    }

    @Test func `requests and responses pass through`() async throws {
        let (output, requests) = try await talk(identity.serverTLS())
        #expect(output.hasPrefix("TLSv1.3 None\n"))
        #expect(output.contains("Content-Length: 10\r\n"))
        #expect(output.hasSuffix("0123456789\n75 end\n") || output.hasSuffix(" end\n"))
        #expect(requests == 1)
    }

    @Test func `a missing close_notify is an unexpected end for the client`() async throws {
        var tls = identity.serverTLS()
        tls.sendsCloseNotify = false
        let output = try await talk(tls).output
        #expect(output.contains("0123456789"))
        #expect(output.hasSuffix("SSLEOFError\n"))
    }

    @Test func `a reset in the body arrives after the bytes sent before`() async throws {
        let script = FaultScript.resetInBody(Array("0123456789".utf8), after: 5)
        let output = try await talk(identity.serverTLS(), script).output
        #expect(output.contains("01234"))
        #expect(output.hasSuffix("ConnectionResetError\n"))
    }

    @Test func `a long body arrives completely`() async throws {
        let output = try await talk(identity.serverTLS(), .hugeBody(3_000_000, declared: false)).output
        let count = try #require(output.split(separator: "\n").last?.split(separator: " ").first.flatMap { Int($0) })
        #expect(count > 3_000_000)
        #expect(output.hasSuffix("end\n"))
    }

    @Test func `the newest TLS version of a server is configurable`() async throws {
        let tls = identity.serverTLS(maximum: .tls11)
        #expect(try await talk(tls).output == "SSLError\n")
        #expect(try await talk(tls, ["maximum": "TLSv1_1"]).output.hasPrefix("TLSv1.1 None\n"))
        #expect(try await talk(identity.serverTLS(maximum: .tls12)).output.hasPrefix("TLSv1.2 None\n"))
    }

    @Test func `an ALPN protocol is negotiated`() async throws {
        let tls = identity.serverTLS(protocols: ["h2", "http/1.1"])
        #expect(try await talk(tls, ["protocols": "http/1.1 h2"]).output.hasPrefix("TLSv1.3 h2\n"))
        #expect(try await talk(tls, ["protocols": "other"]).output.hasPrefix("TLSv1.3 None\n"))
    }

    @Test func `a client without the required certificate gets no response`() async throws {
        let client = try TestIdentity()
        let own = try folder.write("own.pem", Array((client.keyPEM + client.certificatePEM).utf8))
        let tls = identity.serverTLS(clientRoot: client)
        let shown = try await talk(tls, ["own": own])
        #expect(shown.output.contains("0123456789"))
        let hidden = try await talk(tls)
        #expect(hidden.output.contains("SSLError"))
        #expect(hidden.requests == 0)
    }

    @Test func `an expired certificate fails verification`() async throws {
        let expired = try TestIdentity(isExpired: true)
        let output = try await talk(expired.serverTLS(), root: expired).output
        #expect(output == "verification: certificate has expired\n")
    }

    @Test func `a missing intermediate fails verification`() async throws {
        let root = try TestIdentity(isAuthority: true)
        let intermediate = try TestIdentity(isAuthority: true, issuer: root)
        let leaf = try TestIdentity(issuer: intermediate)
        #expect(try await talk(leaf.serverTLS(), root: root).output.contains("0123456789"))
        let output = try await talk(leaf.serverTLS(sendsIntermediates: false), root: root).output
        #expect(output == "verification: unable to get local issuer certificate\n")
    }

    @Test func `a stall ends with the client or when the server stops`() async throws {
        let server = try await FaultServer.start(["/x": [.stall]], tls: identity.serverTLS())
        let client = try await RawClient.connect(server.port)
        try await client.write(Array("no TLS at all\r\n\r\n".utf8))
        _ = await RawClient.everything(client)
        let waiting = try await RawClient.connect(server.port)
        let requests = await server.requests.count
        await server.stop()
        await server.stop()
        _ = await RawClient.everything(waiting)
        #expect(requests == 0)
        await #expect(throws: (any Error).self) { try await RawClient.connect(server.port) }
    }
}

extension TLSRelayTests {
    private func talk(_ tls: ServerTLS, _ options: [String: String]) async throws -> (output: String, requests: Int) {
        try await talk(tls, .shortBody(Array("0123456789".utf8), sent: 10), options)
    }
}
