import NIOCore

/// A channel handler that converts each response's head for the HTTP/1.1 parser.
///
/// A head begins with the first bytes after a request, because a connection carries one request at a time.
final class ResponseHeadHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = NIOAny

    /// The maximum number of buffered bytes of an incomplete head; the parser refuses a longer one.
    private static let limit = 64 << 10

    /// The buffered bytes of a head; nil within a body.
    private var head: ByteBuffer?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if head == nil { head = ByteBuffer() }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard var bytes = head else { return context.fireChannelRead(data) }
        var chunk = unwrapInboundIn(data)
        if bytes.readableBytes == 0 { bytes = chunk } else { bytes.writeBuffer(&chunk) }
        head = nil
        while bytes.readableBytes > 0 {
            guard let length = ResponseHead.length(in: bytes.readableBytesView) else {
                if bytes.readableBytes <= Self.limit, Self.mayBeHead(bytes) {
                    head = bytes
                } else {
                    context.fireChannelRead(wrapInboundOut(bytes))
                }
                return
            }
            guard let part = bytes.readSlice(length: length) else { return }
            let view = part.readableBytesView
            let isLast = !ResponseHead.isInformational(view)
            if let rewritten = ResponseHead.rewritten(view) {
                context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: rewritten)))
            } else {
                context.fireChannelRead(wrapInboundOut(part))
            }
            if isLast {
                if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
                return
            }
        }
        head = bytes
    }

    /// Passes an incomplete head to the parser, which reports the error.
    func channelInactive(context: ChannelHandlerContext) {
        if let rest = head, rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
        head = nil
        context.fireChannelInactive()
    }

    private static func mayBeHead(_ bytes: ByteBuffer) -> Bool {
        zip(bytes.readableBytesView, "HTTP/".utf8).allSatisfy { $0 == $1 }
    }
}
