/// Well-formed responses that mean trouble, and excessive heads (H12 and H15 to H21 of the fault matrix).
extension FaultScript {
    /// A redirect with an unchecked `Location`, or without one if nil.
    package static func redirect(to location: String?, status: Int = 302) -> FaultScript {
        respond(status, headers: location.map { [("Location", $0)] } ?? [])
    }

    /// A web page with a content type, instead of a picture.
    package static func page(type: String = "text/html") -> FaultScript {
        let page = "<!DOCTYPE html><title>Sign in</title><p>Please sign in.</p>"
        return respond(headers: [("Content-Type", type)], body: Array(page.utf8))
    }

    /// 503 with an unchecked `Retry-After`.
    package static func unavailable(retryAfter: String) -> FaultScript {
        status(503, headers: [("Retry-After", retryAfter)])
    }

    /// 304 with a forbidden body, and a `Location` if given.
    package static func notModified(body: [UInt8] = [], location: String? = nil) -> FaultScript {
        respond(304, headers: location.map { [("Location", $0)] } ?? [], body: body).then(.close)
    }

    /// 206 with an unchecked `Content-Range`.
    package static func partial(_ body: [UInt8], range: String, validator: String? = nil) -> FaultScript {
        let tag = validator.map { [("ETag", $0)] } ?? []
        return respond(206, headers: [("Content-Range", range)] + tag, body: body)
    }

    /// A header field of a given length.
    package static func longField(_ count: Int) -> FaultScript {
        FaultScript([.send("HTTP/1.1 200 OK\r\nX-Long: "), .fill(97, count: count), .send("\r\n\r\n"), .close])
    }

    /// A given number of header fields.
    package static func manyFields(_ count: Int) -> FaultScript {
        respond(headers: (0..<max(0, count)).map { ("X-Field-\($0)", "1") }).then(.close)
    }

    /// A head of a given length without a line end.
    package static func headWithoutEnd(_ count: Int) -> FaultScript {
        FaultScript([.send("HTTP/1.1 200 "), .fill(97, count: count), .stall])
    }

    /// A head with an unchecked line: a NUL, a folded line, a name with a space.
    package static func headLine(_ line: String) -> FaultScript {
        FaultScript([.send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n"), .close])
    }

    /// Some informational responses, then the body.
    package static func informational(_ count: Int, body: [UInt8]) -> FaultScript {
        let flood = (0..<max(0, count)).map { _ in FaultStep.send("HTTP/1.1 103 Early Hints\r\n\r\n") }
        return FaultScript(flood + picture(body).steps)
    }

    /// A body that claims an encoding that was not requested.
    package static func encoded(_ label: String, body: [UInt8]) -> FaultScript {
        respond(headers: [("Content-Encoding", label), ("Content-Type", "image/png")], body: body)
    }
}
