import NIOCore
import NIOHTTP2

/// How much a server may send over HTTP/2 before it hears from us (RFC 9113, section 6.9).
enum ReceiveWindow {
    /// Of each stream, in place of 64 KiB: most pictures come whole without a word from us, which would cost each a
    /// round trip.
    static let stream = 1 << 20
    /// On top of the 64 KiB of a new connection, for all its streams; as much as the client keeps open from then on.
    static let connection = 8 << 20

    /// Tells a server before the first request.
    static func open(on channel: any Channel) {
        let setting = HTTP2Setting(parameter: .initialWindowSize, value: stream)
        let payloads: [HTTP2Frame.FramePayload] = [
            .settings(.settings([setting])), .windowUpdate(windowSizeIncrement: connection),
        ]
        for payload in payloads {
            channel.write(HTTP2Frame(streamID: .rootStream, payload: payload), promise: nil)
        }
        channel.flush()
    }
}
