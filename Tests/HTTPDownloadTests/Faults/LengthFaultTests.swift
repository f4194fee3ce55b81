import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Bodies whose length is doubtful: rows H8 to H11 and H14 of the fault matrix.
@Suite(.timeLimit(.minutes(1))) struct LengthFaultTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    private func outcome(
        of script: FaultScript, _ limit: (inout DownloadLimits) -> Void = { _ in }
    ) async throws -> Result<Download, DownloadError> {
        try await DownloadStage.play(["/x": [script]], configure: { limit(&$0.limits) }) { await $0.download() }
    }

    /// The outcome; the next request must get its own answer, on a connection of its own.
    private func outcomeWithoutTraces(of script: FaultScript) async throws -> Result<Download, DownloadError> {
        try await DownloadStage.play(["/x": [script], "/y": [.picture(picture)]]) { stage in
            let result = await stage.download()
            let next = try await stage.download("/y").get()
            #expect(next.data == Data(picture))
            #expect(await stage.server.requests.map(\.connection) == [1, 2])
            return result
        }
    }

    private func expectMalformed(_ result: Result<Download, DownloadError>) {
        #expect(result.error?.title.hasPrefix("malformed answer") == true, "\(result)")
        #expect(result.error?.isRetryable == false)
    }

    // MARK: - Declared lengths

    @Test(arguments: ["x", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", String(repeating: "\u{0}", count: 100_000)])
    func `excess bytes are not part of the picture, and the connection is not reused`(
        excess: String
    ) async throws {
        let head = FaultScript.head(200, [("Content-Length", "\(picture.count)")])
        // In one piece, so that all is there before the next request.
        let result = try await outcomeWithoutTraces(of: FaultScript([.send(head + picture + Array(excess.utf8))]))
        #expect(try result.get().data == Data(picture))
    }

    @Test(arguments: ["x", "HTTP/1.1 200 OK\r\nContent-Length: y\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: y\n\n"])
    func `late excess bytes are not taken for the next response`(excess: String) async throws {
        let head = FaultScript.head(200, [("Content-Length", "\(picture.count)")])
        let leftover = FaultScript([.send(Array(excess.utf8))])
        let scripts = ["/x": [FaultScript([.send(head + picture)])], "/y": [leftover, .picture(picture)]]
        try await DownloadStage.play(scripts) { stage in
            _ = try await stage.download().get()
            #expect(try await stage.download("/y").get().data == Data(picture))
            #expect(await stage.server.requests.map(\.connection) == [1, 1, 2])
        }
    }

    @Test func `garbage on a new connection is a malformed response`() async throws {
        expectMalformed(try await outcome(of: FaultScript([.send(Array("x".utf8))])))
    }

    @Test(arguments: [
        ["-1"], ["+5"], ["12abc"], ["0x10"], ["5, 6"], ["5", "6"], ["6", "5"], ["5", "x"],
    ])
    func `an invalid length is a protocol error`(values: [String]) async throws {
        expectMalformed(try await outcomeWithoutTraces(of: .contentLengths(values, body: picture).keptOpen))
    }

    @Test(arguments: [
        "9223372036854775807", "9223372036854775808", "18446744073709551616", "99999999999999999999999999",
    ])
    func `a length that is too large is refused at the head`(value: String) async throws {
        let result = try await outcomeWithoutTraces(of: .contentLengths([value], body: picture).keptOpen)
        #expect(result.error == .response(.tooLarge(limit: 100 << 20)))
    }

    @Test(arguments: [2, 3])
    func `a repeated equal length is accepted`(count: Int) async throws {
        let values = Array(repeating: "\(picture.count)", count: count)
        let script = FaultScript.contentLengths(values, body: picture).keptOpen
        try await DownloadStage.play(["/x": [script], "/y": [.picture(picture)]]) { stage in
            let download = try await stage.download().get()
            #expect(download.data == Data(picture))
            #expect(try await stage.download("/y").get().data == Data(picture))
            #expect(await stage.server.requests.map(\.connection) == [1, 1])
        }
    }

    // MARK: - Chunks

    @Test(arguments: [
        "", "zz", "-5", "+5", "ffffffffffffffffff", "10000000000000000", "18446744073709551616", "8000000000000000",
        "fffffffffffffffe",
    ])
    func `an invalid chunk size is a protocol error`(line: String) async throws {
        let script = FaultScript.chunkSize(line, body: picture).keptOpen
        expectMalformed(try await outcomeWithoutTraces(of: script))
    }

    @Test func `a chunk shorter than its size is truncated`() async throws {
        let error = try await outcome(of: .chunkSize("7fffffffffffffff", body: picture)).error
        guard case .response(.truncated(_, nil))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a chunk extension of a megabyte is ignored`() async throws {
        let line = String(picture.count, radix: 16) + ";x=" + String(repeating: "a", count: 1 << 20)
        #expect(try await outcome(of: .chunkSize(line, body: picture)).get().data == Data(picture))
    }

    @Test(arguments: [["Content-Length", "Transfer-Encoding"], ["Transfer-Encoding", "Content-Length"]], [-1, 0, 1])
    func `chunks override a length, and the connection is not reused`(
        order: [String], excess: Int
    ) async throws {
        let values = ["Content-Length": "\(picture.count + excess)", "Transfer-Encoding": "chunked"]
        let head = FaultScript.head(200, order.compactMap { name in values[name].map { (name, $0) } })
        let chunks = FaultScript.chunked(picture).steps.dropFirst()
        let download = try await outcomeWithoutTraces(of: FaultScript([.send(head)] + chunks)).get()
        #expect(download.data == Data(picture))
        #expect(download.isProvenWhole)
    }

    // MARK: - No length

    @Test func `an HTTP/1.0 body without length is accepted as unproven`() async throws {
        let download = try await outcome(of: .http10(picture)).get()
        #expect(download.data == Data(picture))
        #expect(!download.isProvenWhole)
        #expect(download.metrics.version == "HTTP/1.0")
    }

    @Test func `an HTTP/1.0 body with length is proven`() async throws {
        let script = FaultScript.http10(picture, headers: [("Content-Length", "\(picture.count)")])
        #expect(try await outcome(of: script).get().isProvenWhole)
        let cut = FaultScript.http10(Array(picture.dropLast()), headers: [("Content-Length", "\(picture.count)")])
        #expect(
            try await outcome(of: cut).error
                == .response(.truncated(received: picture.count - 1, expected: picture.count)))
    }

    @Test(arguments: [true, false])
    func `an endless body is cut at the limit`(isChunked: Bool) async throws {
        let piece = [UInt8](repeating: 0, count: 4096)
        let framing = isChunked ? ("Transfer-Encoding", "chunked") : ("Connection", "close")
        let start = isChunked ? Array(FaultScript.chunked(picture).body.dropLast(5)) : picture
        let endless = isChunked ? Array("1000\r\n".utf8) + piece + [13, 10] : piece
        let script = FaultScript([.send(FaultScript.head(200, [framing])), .send(start), .endless(endless)])
        let error = try await outcome(of: script) { $0.bytes = 1 << 20 }.error
        #expect(error == .response(.tooLarge(limit: 1 << 20)))
        #expect(error?.isRetryable == false)
    }

    @Test func `ten gigabytes are cut at the limit, with or without a length`() async throws {
        let declared = try await outcome(of: .hugeBody(10 << 30, declared: true))
        #expect(declared.error == .response(.tooLarge(limit: 100 << 20)))
        let head = FaultScript.head(200, [("Connection", "close")])
        let script = FaultScript([.send(head + picture), .fill(0, count: 10 << 30)])
        #expect(try await outcome(of: script).error == .response(.tooLarge(limit: 100 << 20)))
    }
}

extension FaultScript {
    /// What is sent after the first step.
    fileprivate var body: [UInt8] {
        steps.dropFirst().flatMap { (step) -> [UInt8] in
            if case .send(let bytes) = step { bytes } else { [] }
        }
    }
}
