/// What a scripted server does after it has read one request; at the end the connection waits for the next request.
public struct FaultScript: Sendable {
    public var steps: [FaultStep]

    public init(_ steps: [FaultStep]) {
        self.steps = steps
    }

    /// The script with more steps after its own.
    public func then(_ more: FaultStep...) -> FaultScript {
        FaultScript(steps + more)
    }

    /// The script without the close or reset at its end: whether the connection is used again is the client's to say.
    public var keptOpen: FaultScript {
        switch steps.last {
        case .close, .reset: FaultScript(Array(steps.dropLast()))
        default: self
        }
    }
}

extension FaultScript {
    /// A response in good order.
    ///
    /// `Content-Length` is added unless the headers name a length or an encoding.
    public static func respond(
        _ status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []
    ) -> FaultScript {
        let names = Set(headers.map { $0.0.lowercased() })
        let counted = names.contains("content-length") || names.contains("transfer-encoding")
        let length = counted ? [] : [("Content-Length", String(body.count))]
        return FaultScript([.send(head(status, length + headers)), .send(body)])
    }

    /// The picture, or whatever the bytes are, with its content type.
    public static func picture(_ body: [UInt8], type: String = "image/png") -> FaultScript {
        respond(headers: [("Content-Type", type)], body: body)
    }

    /// A status with a short text.
    public static func status(_ code: Int, headers: [(String, String)] = []) -> FaultScript {
        respond(code, headers: headers + [("Content-Type", "text/plain")], body: Array("status \(code)\n".utf8))
    }

    /// The bytes of a response head, up to and with the blank line; nothing in it is checked.
    public static func head(_ status: Int = 200, _ headers: [(String, String)]) -> [UInt8] {
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) \(reason(status))\r\n\(lines)\r\n".utf8)
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 404: "Not Found"
        case 410: "Gone"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
