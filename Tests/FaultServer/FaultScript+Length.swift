/// Faults of the body's length and framing (H7 to H11 and H14 of the fault matrix).
extension FaultScript {
    /// Closes normally after some bytes of the body.
    package static func shortBody(_ body: [UInt8], sent count: Int) -> FaultScript {
        part(body, count).then(.close)
    }

    /// Sends more bytes than `Content-Length` declares.
    package static func longBody(_ body: [UInt8], extra: [UInt8]) -> FaultScript {
        picture(body).then(.send(extra), .close)
    }

    /// Sends a `Content-Length` header for each value, unchecked: equal, different, negative, huge, not a number.
    package static func contentLengths(_ values: [String], body: [UInt8]) -> FaultScript {
        respond(headers: values.map { ("Content-Length", $0) }, body: body).then(.close)
    }

    /// Sends a body of zero bytes with or without a declared length.
    package static func hugeBody(_ count: Int, declared: Bool) -> FaultScript {
        let length = declared ? [("Content-Length", String(count))] : [("Connection", "close")]
        return FaultScript([.send(head(200, length)), .fill(0, count: count), .close])
    }

    /// Sends a body without a length, which ends with the connection.
    package static func withoutLength(_ body: [UInt8]) -> FaultScript {
        FaultScript([.send(head(200, [("Connection", "close"), ("Content-Type", "image/png")])), .send(body), .close])
    }

    /// Sends an HTTP/1.0 response, whose body ends with the connection.
    package static func http10(_ body: [UInt8], headers: [(String, String)] = []) -> FaultScript {
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return FaultScript([.send("HTTP/1.0 200 OK\r\n\(fields)\r\n"), .send(body), .close])
    }

    /// Sends both `Content-Length` and `Transfer-Encoding`.
    package static func lengthAndChunked(_ body: [UInt8]) -> FaultScript {
        let both = [("Content-Length", String(body.count)), ("Transfer-Encoding", "chunked")]
        return FaultScript([.send(head(200, both)), .send(chunk(body[...])), .send("0\r\n\r\n"), .close])
    }

    /// Sends a correct chunked body with chunks of a size, and trailers if any.
    package static func chunked(
        _ body: [UInt8], size: Int = 4096, trailers: [(String, String)] = []
    ) -> FaultScript {
        let starts = Array(stride(from: 0, to: body.count, by: max(1, size)))
        // Sent at once: a million chunks are no more work than one.
        let chunks = starts.flatMap { chunk(body[$0..<min($0 + max(1, size), body.count)]) }
        let fields = trailers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return FaultScript([chunkedHead, .send(chunks), .send("0\r\n\(fields)\r\n")])
    }

    /// Closes before the last chunk of a chunked body.
    package static func chunkedWithoutEnd(_ body: [UInt8]) -> FaultScript {
        FaultScript([chunkedHead, .send(chunk(body[...])), .close])
    }

    /// Sends a chunk with an arbitrary size line: not a number, too large, or with a long extension.
    package static func chunkSize(_ line: String, body: [UInt8]) -> FaultScript {
        FaultScript([chunkedHead, .send("\(line)\r\n"), .send(body), .send("\r\n0\r\n\r\n"), .close])
    }

    private static let chunkedHead = FaultStep.send(head(200, [("Transfer-Encoding", "chunked")]))

    private static func chunk(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    }
}
