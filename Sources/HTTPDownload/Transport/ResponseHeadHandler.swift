import NIOCore

/// Gives the parser of HTTP/1.1 each response's head in the form that it reads.
///
/// A head begins with the first bytes after a request: there is one request at a time on a connection.
final class ResponseHeadHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = NIOAny

    /// Bytes of a head that are held back for its end; a longer head is for the parser to refuse.
    private static let limit = 64 << 10

    /// The part of a head that has come; nil within a body.
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

    /// The parser says what is wrong with a head that has no end.
    func channelInactive(context: ChannelHandlerContext) {
        if let rest = head, rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
        head = nil
        context.fireChannelInactive()
    }

    private static func mayBeHead(_ bytes: ByteBuffer) -> Bool {
        zip(bytes.readableBytesView, "HTTP/".utf8).allSatisfy { $0 == $1 }
    }
}
