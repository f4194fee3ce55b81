import FaultServer
import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

/// Bodies that are not whole, too much or no picture never reach a cache: rows H7, H9, H10, H14 and H15.
@Suite(.timeLimit(.minutes(1))) struct DoubtfulBodyTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    /// A load that fails after so many requests, and leaves nothing anywhere.
    private func failure(
        of script: FaultScript, requests: Int, _ limit: (inout DownloadLimits) -> Void = { _ in }
    ) async throws -> ImageError? {
        try await PipelineStage.play(["/x": [script]], limits: limit) { stage in
            let error = await stage.load().error
            #expect(await stage.server.count(of: "/x") == requests)
            #expect(stage.contents == [])
            #expect(await stage.stored() == nil)
            #expect(stage.pipeline.cache.memory.count == 0)
            return error
        }
    }

    @Test func `a body shorter than its length is retried and not stored, even if it is decodable`()
        async throws
    {
        let length = picture.count + 10
        let head = FaultScript.head(200, [("Content-Length", "\(length)")])
        _ = try VipsDecoder().decode(Data(picture), within: nil, limits: DecodeLimits())
        #expect(
            try await failure(of: FaultScript([.send(head), .send(picture), .close]), requests: 3)
                == .response(.truncated(received: picture.count, expected: length)))
    }

    @Test func `a body without its last chunk is retried and not stored`() async throws {
        #expect(
            try await failure(of: .chunkedWithoutEnd(picture), requests: 3)
                == .response(.truncated(received: picture.count, expected: nil)))
    }

    @Test(arguments: [true, false])
    func `a body that ends with the connection is stored if its file has its end`(isOld: Bool) async throws {
        try await PipelineStage.play(["/x": [isOld ? .http10(picture) : .withoutLength(picture)]]) { stage in
            let shown = try await stage.load().get()
            #expect(shown.image.size == PixelSize(width: 40, height: 30))
            #expect(await stage.stored() == Data(picture))
            #expect(stage.pipeline.cache.memory.count == 1)
        }
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .gif, .webP])
    func `a truncated body without length is refused or shown, and never stored`(format: ImageFormat) async throws {
        let image = Pictures.image(Pictures.gradient(PixelSize(width: 64, height: 48)))
        let file = Array(try ImageEncoder.encode(image, as: format))
        let cuts = stride(from: 1, to: file.count, by: max(1, file.count / 40)).map(\.self)
        let scripts = cuts.map { ("/\($0)", [FaultScript.http10(Array(file.prefix($0)))]) }
        try await PipelineStage.play(Dictionary(uniqueKeysWithValues: scripts)) { stage in
            var refused = 0
            for cut in cuts { if await stage.load("/\(cut)").error != nil { refused += 1 } }
            #expect(refused * 10 >= cuts.count * 7, "\(refused) of \(cuts.count)")
            #expect(stage.contents == [])
        }
    }

    @Test(arguments: [true, false])
    func `an endless body is not retried and leaves nothing on disk`(isChunked: Bool) async throws {
        let piece = [UInt8](repeating: 0, count: 4096)
        let framing = isChunked ? ("Transfer-Encoding", "chunked") : ("Connection", "close")
        let size = Array(String(picture.count, radix: 16).utf8)
        let start = isChunked ? size + [13, 10] + picture + [13, 10] : picture
        let endless = isChunked ? Array("1000\r\n".utf8) + piece + [13, 10] : piece
        let script = FaultScript([.send(FaultScript.head(200, [framing])), .send(start), .endless(endless)])
        let error = try await failure(of: script, requests: 1) { $0.bytes = 1 << 20 }
        #expect(error == .response(.tooLarge(limit: 1 << 20)))
    }

    @Test func `a body of ten declared gigabytes is not retried and leaves nothing on disk`() async throws {
        let head = FaultScript.head(200, [("Content-Length", "\(10 << 30)")])
        let error = try await failure(of: FaultScript([.send(head + picture), .stall]), requests: 1)
        #expect(error == .response(.tooLarge(limit: 100 << 20)))
    }

    @Test(arguments: [
        ("image/png", "<!DOCTYPE html><title>Sign in</title>", "HTML"), ("text/html", "<html><body>login", "HTML"),
        ("application/json", "{\"error\": \"gone\"}", "JSON or text"), ("text/plain", "404, sadly", "text"),
    ])
    func `a body that is not a picture is requested once and not stored`(
        type: String, body: String, appearance: String
    ) async throws {
        let error = try await failure(of: .picture(Array(body.utf8), type: type), requests: 1)
        #expect(error == .response(.notAnImage(appearance)))
    }

    @Test(arguments: [
        FaultScript.picture([]), .http10([]),
        FaultScript([.send(FaultScript.head(200, [("Connection", "close")])), .close]),
    ])
    func `an empty body is retried and not stored`(script: FaultScript) async throws {
        #expect(try await failure(of: script, requests: 3) == .response(.truncated(received: 0, expected: 0)))
    }

    @Test func `a picture that comes after empty bodies is shown`() async throws {
        try await PipelineStage.play(["/x": [.picture([]), .picture([]), .picture(picture)]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.stored() == Data(picture))
        }
    }

    @Test func `a picture is stored regardless of its media type`() async throws {
        try await PipelineStage.play(["/x": [.picture(picture, type: "text/html")]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.stored() == Data(picture))
        }
    }
}
