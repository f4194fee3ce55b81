import AlcedoCDeflate
import FaultServer
import Foundation
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Bodies that their servers have compressed.
@Suite(.timeLimit(.minutes(1)))
struct ContentCodingTests {
    enum Packing: String, CaseIterable { case gzip, zlib, deflate }

    static func packed(_ bytes: [UInt8], _ packing: Packing) -> [UInt8] {
        guard let packer = libdeflate_alloc_compressor(6) else { return [] }
        defer { libdeflate_free_compressor(packer) }
        let room = libdeflate_gzip_compress_bound(packer, bytes.count) + 64
        return [UInt8](unsafeUninitializedCapacity: room) { memory, count in
            let output = memory.baseAddress
            count =
                switch packing {
                case .gzip: libdeflate_gzip_compress(packer, bytes, bytes.count, output, room)
                case .zlib: libdeflate_zlib_compress(packer, bytes, bytes.count, output, room)
                case .deflate: libdeflate_deflate_compress(packer, bytes, bytes.count, output, room)
                }
        }
    }

    private let picture = Array("GIF89a".utf8) + [UInt8](repeating: 7, count: 5_000)

    private func download(_ script: FaultScript, limit: Int? = nil) async throws -> Result<Download, DownloadError> {
        let server = try await FaultServer.start(["/x": script])
        var limits = DownloadLimits()
        if let limit { limits.bytes = limit }
        let downloader = ImageDownloader(limits: limits)
        let request = DownloadRequest.picture(try #require(URL(string: server.url("/x"))))
        let result: Result<Download, DownloadError>
        do throws(DownloadError) {
            result = .success(try await downloader.download(request) { _ in })
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return result
    }

    private func reason(_ result: Result<Download, DownloadError>) -> String? {
        guard case .failure(.response(.dataModifyingFailed(let why))) = result else { return nil }
        return why
    }

    @Test(arguments: [("gzip", Packing.gzip), ("X-GZip", .gzip), ("deflate", .zlib), ("deflate", .deflate)])
    func `a compressed body is unpacked`(label: String, packing: Packing) async throws {
        let body = Self.packed(picture, packing)
        let download = try await download(.encoded(label, body: body)).get()
        #expect(download.data == Data(picture))
        #expect(download.metrics.bytes == body.count)
    }

    /// `GIF89a` and 5,000 bytes of 7, by the programs brotli 1.0.9 and zstd 1.5.4.
    @Test(arguments: [("br", "H40T+AUccnjUAqklWNwWCAxaAOgiHw=="), ("zstd", "KLUv/QRYdQAAOEdJRjg5YQcBAITTAyOxJr+1")])
    func `brotli and zstd are unpacked`(label: String, base64: String) async throws {
        let body = Array(try #require(Data(base64Encoded: base64)))
        #expect(try await download(.encoded(label, body: body)).get().data == Data(picture))
        #expect(
            await (try download(.encoded(label, body: body), limit: 5_000)).failure
                == .response(.tooLarge(limit: 5_000)))
        let name = label == "br" ? "brotli" : label
        let cut = FaultScript.encoded(label, body: Array(body.dropLast(2)))
        #expect(reason(try await download(cut)) == "its \(name) stream is damaged")
    }

    @Test func `codings are decoded in reverse order`() async throws {
        let body = Self.packed(Self.packed(picture, .zlib), .gzip)
        #expect(try await download(.encoded("deflate, gzip", body: body)).get().data == Data(picture))
    }

    @Test func `several gzip members are one body, and trailing bytes are ignored`() async throws {
        let body = Self.packed(Array(picture.prefix(99)), .gzip) + Self.packed(Array(picture.dropFirst(99)), .gzip)
        #expect(try await download(.encoded("gzip", body: body + [0, 0])).get().data == Data(picture))
    }

    @Test func `thousands of gzip members are unpacked`() throws {
        let body = Self.packed(picture, .gzip) + (0..<20_000).flatMap { _ in Self.packed([7], .gzip) }
        let unpacked = try ContentCoding.removed([.gzip], from: Data(body), atMost: 1 << 20)
        #expect(unpacked == Data(picture + [UInt8](repeating: 7, count: 20_000)))
    }

    @Test(arguments: ["gzip", "br", "aws-chunked", "utf-8"])
    func `a picture wrongly labelled as compressed is accepted`(label: String) async throws {
        #expect(try await download(.encoded(label, body: picture)).get().data == Data(picture))
    }

    @Test(arguments: ["compress", "exi", "gzip, compress", "gzip, gzip, gzip, gzip"])
    func `an unsupported coding is reported by name`(label: String) async throws {
        let why = reason(try await download(.encoded(label, body: Array("not a picture at all".utf8))))
        #expect(why?.hasSuffix("only gzip, deflate, br and zstd are unpacked") == true)
        #expect(
            why?.contains(label == "gzip, compress" ? "compress" : label.contains(",") ? "4 codings" : label) == true)
    }

    @Test(arguments: ["gzip", "deflate"])
    func `a damaged compressed body is reported as damaged`(label: String) async throws {
        var body = Self.packed(picture, label == "gzip" ? .gzip : .zlib)
        body[body.count - 5] ^= 0xFF
        #expect(reason(try await download(.encoded(label, body: body))) == "its \(label) stream is damaged")
        let cut = FaultScript.encoded(label, body: Array(body.prefix(body.count / 2)))
        #expect(reason(try await download(cut)) == "its \(label) stream is damaged")
    }

    @Test func `a body that exceeds the limit when unpacked is too large`() async throws {
        let body = Self.packed(picture + [UInt8](repeating: 0, count: 1 << 20), .gzip)
        #expect(throws: DownloadError.response(.tooLarge(limit: 100_000))) {
            try ContentCoding.removed([.gzip], from: Data(body), atMost: 100_000)
        }
        #expect(
            await (try download(.encoded("gzip", body: body), limit: 100_000)).failure
                == .response(.tooLarge(limit: 100_000)))
        #expect(try ContentCoding.removed([.gzip], from: Data(body), atMost: picture.count + 1 << 20).count > 1 << 20)
    }

    @Test func `an unpacked body must be a picture`() async throws {
        let body = Self.packed(Array("<!doctype html><p>no".utf8), .gzip)
        #expect(await (try download(.encoded("gzip", body: body))).failure == .response(.notAnImage("HTML")))
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
