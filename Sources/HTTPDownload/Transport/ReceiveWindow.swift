import NIOCore
import NIOHTTP2

/// The HTTP/2 flow control windows: the bytes that a server may send before it needs an update (RFC 9113, section
/// 6.9).
enum ReceiveWindow {
    /// The window of each stream in bytes, in place of 64 KiB.
    ///
    /// Most pictures fit into it, so they need no window update, which would cost a round trip.
    static let stream = 1 << 20
    /// The increment of a new connection's window of 64 KiB; the client keeps a window of this size afterwards.
    static let connection = 8 << 20

    /// Sends both windows to the server, before the first request.
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
