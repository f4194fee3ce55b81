import AlcedoCCodings
import AlcedoCDeflate
import AlcedoHTTPRequests
import FoundationEssentials

/// A content coding of HTTP: the compression of a body (RFC 9110, section 8.4.1).
///
/// Requests ask for `identity`. But some servers store objects compressed and send them that way to every client.
enum ContentCoding: Hashable, Sendable {
    case gzip
    /// The zlib format; some servers send the bare deflate stream instead.
    case deflate
    case brotli
    case zstd
    /// An unsupported coding, by its name in lower case.
    case other(String)

    /// The maximum number of codings of one body, because each coding may enlarge it.
    private static let most = 3

    init?(_ name: some StringProtocol) {
        let name = name.lowercased()
        switch name {
        case "", "identity": return nil
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        case "br": self = .brotli
        case "zstd": self = .zstd
        default: self = .other(name)
        }
    }

    /// Returns the codings of a response in the order in which the server applied them.
    static func applied(_ head: ResponseHead) -> [ContentCoding] {
        let codings = head.elements(of: "content-encoding").compactMap { ContentCoding($0) }
        guard codings.count <= most else { return [.other("\(codings.count) codings")] }
        return codings
    }

    /// Returns the error for a body in an unsupported coding, or nil if all are supported.
    static func error(of codings: [ContentCoding]) -> DownloadError? {
        for case .other(let name) in codings { return unsupported(name) }
        return nil
    }

    private static func unsupported(_ name: String) -> DownloadError {
        let shown = name.prefix(40).filter { $0.isASCII && ($0.isLetter || $0.isNumber || " -_.".contains($0)) }
        return .response(
            .dataModifyingFailed("it is compressed with \(shown); only gzip, deflate, br and zstd are unpacked"))
    }

    /// Returns a whole body with its codings removed, at most `limit` bytes long.
    ///
    /// A body that the check already accepts is returned unchanged: its server named a coding that it did not
    /// apply.
    static func removed(
        _ codings: [ContentCoding], from body: Data, atMost limit: Int, unless check: BodyCheck? = nil
    ) throws(DownloadError) -> Data {
        if check?(body, true) == .accepted { return body }
        var data = body
        for coding in codings.reversed() { data = try coding.unpacked(data, atMost: limit) }
        return data
    }

    private func unpacked(_ data: Data, atMost limit: Int) throws(DownloadError) -> Data {
        switch self {
        case .gzip: return try Self.members(of: data, atMost: limit)
        case .deflate:
            let isZlib = data.count >= 2 && data.prefix(2).reduce(0) { $0 << 8 | Int($1) } % 31 == 0
            for unpack in (isZlib ? [libdeflate_zlib_decompress_ex] : []) + [libdeflate_deflate_decompress_ex] {
                if let part = try Self.part(of: data, unpack, atMost: limit) { return part.data }
            }
            throw Self.damaged("deflate")
        case .brotli: return try Self.decoded(data, alcedo_coding_brotli, "brotli", atMost: limit)
        case .zstd: return try Self.decoded(data, alcedo_coding_zstd, "zstd", atMost: limit)
        case .other(let name): throw Self.unsupported(name)
        }
    }

    private static func damaged(_ name: String) -> DownloadError {
        .response(.dataModifyingFailed("its \(name) stream is damaged"))
    }

    private static func decoded(
        _ data: Data, _ coding: alcedo_coding, _ name: String, atMost limit: Int
    ) throws(DownloadError) -> Data {
        var decoded: UnsafeMutablePointer<UInt8>?
        let count = data.withUnsafeBytes { alcedo_decode(coding, $0.baseAddress, $0.count, limit, &decoded) }
        switch count {
        case -2: throw .response(.tooLarge(limit: limit))
        case -4: throw .noMemory
        case -3: throw .response(.transport(.environment("the library for \(name) cannot be loaded")))
        case ..<0: throw damaged(name)
        default: return decoded.map { Data(bytesNoCopy: $0, count: Int(count), deallocator: .free) } ?? Data()
        }
    }

    /// Decompresses all members of a gzip file and ignores the bytes after the last one (RFC 1952, section 2.2).
    private static func members(of packed: Data, atMost limit: Int) throws(DownloadError) -> Data {
        var (rest, all) = (packed, Data())
        repeat {
            guard let part = try part(of: rest, libdeflate_gzip_decompress_ex, atMost: limit - all.count) else {
                throw damaged("gzip")
            }
            if all.isEmpty { all = part.data } else { all.append(part.data) }
            rest = rest.dropFirst(part.consumed)
        } while rest.starts(with: [0x1F, 0x8B])
        return all
    }

    private typealias Function = (
        OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?,
        UnsafeMutablePointer<Int>?
    ) -> libdeflate_result

    /// Decompresses one stream at the beginning of the data, or returns nil if the stream is damaged.
    ///
    /// The decompressed length is unknown, so the buffer is doubled until it is large enough.
    private static func part(
        of packed: Data, _ unpack: Function, atMost limit: Int
    ) throws(DownloadError) -> (data: Data, consumed: Int)? {
        guard let unpacker = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(unpacker) }
        var room = min(limit, max(64 << 10, packed.count * 2))
        while true {
            var (data, consumed, count) = (Data(count: room), 0, 0)
            let result = data.withUnsafeMutableBytes { output in
                packed.withUnsafeBytes { input in
                    unpack(unpacker, input.baseAddress, input.count, output.baseAddress, room, &consumed, &count)
                }
            }
            switch result {
            case LIBDEFLATE_SUCCESS: return (data.prefix(count), consumed)
            case LIBDEFLATE_INSUFFICIENT_SPACE where room < limit: room = min(limit, room * 2)
            case LIBDEFLATE_INSUFFICIENT_SPACE: throw .response(.tooLarge(limit: limit))
            default: return nil
            }
        }
    }
}
