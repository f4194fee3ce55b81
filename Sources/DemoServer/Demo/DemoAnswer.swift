import NIOHTTP1

/// What the demo answers to one request.
struct DemoAnswer: Sendable {
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

    static func text(_ status: HTTPResponseStatus, _ words: String, headers: HTTPHeaders = [:]) -> DemoAnswer {
        let body = Array(words.utf8)
        var headers = headers
        headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        headers.add(name: "Content-Length", value: String(body.count))
        return DemoAnswer(status, headers: headers, body: body[...])
    }
}
