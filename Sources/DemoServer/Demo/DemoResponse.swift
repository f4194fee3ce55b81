import NIOHTTP1

/// The demo's response to one request.
struct DemoResponse: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: ArraySlice<UInt8>
    var pacing: Pacing

    init(
        _ status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: ArraySlice<UInt8> = [],
        pacing: Pacing = Pacing(bytesPerSecond: nil)
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.pacing = pacing
    }

    static func text(_ status: HTTPResponseStatus, _ words: String, headers: HTTPHeaders = [:]) -> DemoResponse {
        let body = Array(words.utf8)
        var headers = headers
        headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        headers.add(name: "Content-Length", value: String(body.count))
        return DemoResponse(status, headers: headers, body: body[...])
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
