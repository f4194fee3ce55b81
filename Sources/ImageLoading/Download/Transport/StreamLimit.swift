import NIOCore
import NIOHTTP2

/// Lets the client open fewer streams on a connection of HTTP/2 than its server would take, so that who is ready waits
/// within the client and goes out as soon as a stream ends.
///
/// The client has no setting for that: it takes the number from its server's settings, so it is shown such ones. What
/// waited for the connection itself goes out all the same.
final class StreamLimit: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private let limit: Int
    /// What the client takes where a server says nothing.
    private var served = 100

    init(_ limit: Int) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .settings(.settings(let settings)) = unwrapInboundIn(data).payload {
            served = settings.last { $0.parameter == .maxConcurrentStreams }?.value ?? served
        }
        context.fireChannelRead(data)
    }

    /// Not before there is a stream: the client would begin to wait for the end of an idle connection a second time.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is NIOHTTP2StreamCreatedEvent, served > limit { showLimit(on: context.pipeline) }
        context.fireUserInboundEventTriggered(event)
    }

    /// As if it came from the server; it comes by here too.
    private func showLimit(on pipeline: ChannelPipeline) {
        let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: limit)
        let frame = HTTP2Frame(streamID: .rootStream, payload: .settings(.settings([setting])))
        guard let context = try? pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self) else { return }
        context.fireChannelRead(wrapInboundOut(frame))
        // Else what is written would wait for the end of a read.
        context.fireChannelReadComplete()
    }
}
