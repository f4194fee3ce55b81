import FoundationEssentials

/// Decides the demo's responses: pictures at different speeds, and one of each kind of problem.
///
/// `/pictures/NAME` is the picture; `/moved/NAME` redirects to it; `/busy/NAME` is 503 once, then the picture;
/// everything else is 404.
struct DemoSite: Sendable {
    private let pictures: [DemoPicture]
    private let places: [String: Int]
    private let rate: Int?
    private var busyPaths: Set<String> = []

    /// The indices of the picture behind a redirect, of the picture at a busy address, and of the missing picture.
    private static let moved = 3
    private static let busy = 6
    private static let missing = (place: 9, path: "/pictures/lost-at-sea.jpg")

    /// Factors of the rate by the picture's index, so that neighbouring progress bars move at different speeds.
    private static let speeds = [1.0, 0.45, 1.8, 0.7, 0.3, 1.3, 0.55, 2.4]

    init(pictures: [DemoPicture], rate: Int?) {
        self.pictures = pictures
        self.rate = rate
        places = Dictionary(pictures.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// The paths to browse, in order; one of them fails permanently.
    var paths: [String] {
        var paths = pictures.enumerated().map { place, picture in
            "/\(Self.folder(place))/\(picture.name)"
        }
        paths.insert(Self.missing.path, at: min(Self.missing.place, paths.count))
        return paths
    }

    private static func folder(_ place: Int) -> String {
        switch place {
        case moved: "moved"
        case busy: "busy"
        default: "pictures"
        }
    }

    mutating func response(to request: DemoRequest) -> DemoResponse {
        guard ["GET", "HEAD"].contains(request.method) else {
            return .text(.methodNotAllowed, "Only GET and HEAD here.\n", headers: ["Allow": "GET, HEAD"])
        }
        let path = request.target.prefix { $0 != "?" }.split(separator: "/")
        guard path.count == 2, let place = places[String(path[1])] else { return Self.notFound }
        switch path[0] {
        case "moved": return .text(.found, "Moved.\n", headers: ["Location": "/pictures/\(path[1])"])
        case "busy" where busyPaths.insert(String(path[1])).inserted:
            return .text(.serviceUnavailable, "Busy, try again in a second.\n", headers: ["Retry-After": "1"])
        case "pictures", "busy": return picture(place, request.fields)
        default: return Self.notFound
        }
    }

    private static let notFound = DemoResponse.text(
        .notFound, "There is no such picture; this one is lost on purpose.\n")

    private func picture(_ place: Int, _ requested: DemoFields) -> DemoResponse {
        let picture = pictures[place]
        var headers: DemoFields = [
            "ETag": picture.validator, "Accept-Ranges": "bytes", "Cache-Control": "max-age=3600",
        ]
        let total = picture.bytes.count
        let start = Self.rangeStart(requested, picture)
        let body = picture.bytes[(start ?? 0)...]
        headers.add("Content-Type", picture.type ?? "application/octet-stream")
        headers.add("Content-Length", String(body.count))
        if let start { headers.add("Content-Range", "bytes \(start)-\(total - 1)/\(total)") }
        return DemoResponse(start == nil ? .ok : .partialContent, headers: headers, body: body, pacing: pacing(place))
    }

    /// Returns the start of an open-ended range; other ranges get the whole picture, as RFC 9110 (14.2) allows.
    private static func rangeStart(_ requested: DemoFields, _ picture: DemoPicture) -> Int? {
        guard let range = requested["Range"].first, range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), picture.bytes.indices.contains(start)
        else { return nil }
        if let condition = requested["If-Range"].first, condition != picture.validator { return nil }
        return start
    }

    private func pacing(_ place: Int) -> Pacing {
        Pacing(bytesPerSecond: rate.map { Int(min(Double($0) * Self.speeds[place % Self.speeds.count], 1e12)) })
    }
}

/// The demo's response to one request.
struct DemoResponse: Sendable {
    var status: DemoStatus
    var headers: DemoFields
    var body: ArraySlice<UInt8>
    var pacing: Pacing

    init(
        _ status: DemoStatus, headers: DemoFields = [:], body: ArraySlice<UInt8> = [],
        pacing: Pacing = Pacing(bytesPerSecond: nil)
    ) {
        (self.status, self.headers, self.body, self.pacing) = (status, headers, body, pacing)
    }

    static func text(_ status: DemoStatus, _ words: String, headers: DemoFields = [:]) -> DemoResponse {
        let body = Array(words.utf8)
        var headers = headers
        headers.add("Content-Type", "text/plain; charset=utf-8")
        headers.add("Content-Length", String(body.count))
        return DemoResponse(status, headers: headers, body: body[...])
    }

    /// The bytes before the body.
    var head: [UInt8] { Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n\(headers.lines)\r\n".utf8) }
}

/// The statuses of the demo.
enum DemoStatus: Int, Sendable {
    case ok = 200
    case partialContent = 206
    case found = 302
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case serviceUnavailable = 503

    var reason: String {
        switch self {
        case .ok: "OK"
        case .partialContent: "Partial Content"
        case .found: "Found"
        case .badRequest: "Bad Request"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .serviceUnavailable: "Service Unavailable"
        }
    }
}

/// The division of a body into pieces of equal duration.
struct Pacing: Hashable, Sendable {
    /// The size of a piece in bytes.
    let piece: Int
    /// The pause after each piece.
    let pause: Duration

    /// Sends twenty pieces per second, fewer if a piece would have less than 512 bytes; without a positive rate, as
    /// fast as possible.
    init(bytesPerSecond rate: Int?) {
        guard let rate, rate > 0 else {
            piece = 64 * 1024
            pause = .zero
            return
        }
        piece = max(512, rate / 20)
        pause = .seconds(Double(piece) / Double(rate))
    }
}

/// A picture that the demo serves, with its HTTP metadata.
struct DemoPicture: Sendable {
    let name: String
    let bytes: [UInt8]

    /// The content type according to the extension; nil if the file is not a picture.
    var type: String? { Self.types[name.split(separator: ".").last.map { $0.lowercased() } ?? ""] }

    /// A strong validator made of length and FNV-1a hash.
    let validator: String

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        validator = "\"\(String(bytes.count, radix: 16))-\(String(hash, radix: 16))\""
    }

    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "bmp": "image/bmp", "tiff": "image/tiff", "tif": "image/tiff", "svg": "image/svg+xml",
    ]

    /// Reads the pictures of a folder in order of their names.
    static func read(_ folder: URL) throws(LoopbackError) -> [DemoPicture] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let pictures = names.sorted().compactMap { name -> DemoPicture? in
            let file = folder.appendingPathComponent(name)
            guard types[file.pathExtension.lowercased()] != nil else { return nil }
            guard let data = try? Data(contentsOf: file) else { return nil }
            return DemoPicture(name: name, bytes: Array(data))
        }
        guard !pictures.isEmpty else { throw .noPictures(folder: folder.path) }
        return pictures
    }
}
