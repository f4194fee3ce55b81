import NIOCore

/// A conversion of response heads into the form that the HTTP parser accepts.
///
/// It converts lines that end with a bare LF (RFC 9112, section 2.2), fields folded over several lines (section
/// 5.2), and repeated `Content-Length` fields with the same value (RFC 9110, section 8.6). It leaves everything
/// else to the parser.
struct ResponseHead {
    private static let (tab, lineFeed, carriageReturn, space, comma, colon) = (
        UInt8(9), UInt8(10), UInt8(13), UInt8(32), UInt8(0x2C), UInt8(0x3A)
    )

    /// Returns the length of a head including its final empty line, or nil if it is incomplete.
    static func length(in bytes: some RandomAccessCollection<UInt8>) -> Int? {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: lineFeed) {
            let line = bytes[start..<end]
            let next = bytes.index(after: end)
            if line.isEmpty || line.elementsEqual([carriageReturn]) {
                return bytes.distance(from: bytes.startIndex, to: next)
            }
            start = next
        }
        return nil
    }

    /// Returns whether another head follows, as after 100 and 103.
    static func isInformational(_ head: some Collection<UInt8>) -> Bool {
        guard let space = head.firstIndex(of: space) else { return false }
        let status = head[head.index(after: space)...].prefix(3)
        return status.count == 3 && status.first == 0x31 && !status.elementsEqual("101".utf8)
    }

    /// Returns the converted head, or nil if it needs no conversion.
    static func rewritten(_ head: some RandomAccessCollection<UInt8>) -> [UInt8]? {
        var lines: [[UInt8]] = []
        var isChanged = false
        for line in head.split(separator: lineFeed, omittingEmptySubsequences: false).dropLast() {
            let isPlain = line.last == carriageReturn
            if !isPlain { isChanged = true }
            let text = isPlain ? Array(line.dropLast()) : Array(line)
            if let first = text.first, first == space || first == tab, lines.count > 1 {
                lines[lines.count - 1] = trimmed(lines[lines.count - 1][...]) + [space] + trimmed(text[...])
                isChanged = true
            } else {
                lines.append(text)
            }
        }
        if mergeLengths(&lines) { isChanged = true }
        return isChanged
            ? Array(lines.joined(separator: [carriageReturn, lineFeed])) + [carriageReturn, lineFeed] : nil
    }

    /// Merges repeated `Content-Length` values that agree; returns false if it changed nothing.
    private static func mergeLengths(_ lines: inout [[UInt8]]) -> Bool {
        let places = lines.indices.dropFirst().filter { isLength(lines[$0]) }
        let values = places.flatMap { place in
            lines[place].drop { $0 != colon }.dropFirst()
                .split(separator: comma, omittingEmptySubsequences: false).map(trimmed)
        }
        guard values.count > 1, let value = values.first, !value.isEmpty,
            value.allSatisfy({ (0x30...0x39).contains($0) }), values.allSatisfy({ $0 == value })
        else { return false }
        lines[places[0]] = Array("Content-Length: ".utf8) + value
        for place in places.dropFirst().reversed() { lines.remove(at: place) }
        return true
    }

    private static func isLength(_ line: [UInt8]) -> Bool {
        let name = line.prefix { $0 != colon }
        return name.count == 14 && String(decoding: name, as: UTF8.self).lowercased() == "content-length"
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == space || byte == tab }
        let rest = text.drop(while: isBlank)
        return Array(rest.prefix(upTo: rest.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? rest.startIndex))
    }
}

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
