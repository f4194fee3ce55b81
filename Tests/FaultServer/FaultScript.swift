/// The actions of a scripted server after one request; the connection then waits for the next one.
package struct FaultScript: Sendable {
    package var steps: [FaultStep]

    package init(_ steps: [FaultStep]) {
        self.steps = steps
    }

    /// Returns the script with additional steps.
    package func then(_ more: FaultStep...) -> FaultScript {
        FaultScript(steps + more)
    }

    /// The script without a final close or reset, so that the client may reuse the connection.
    package var keptOpen: FaultScript {
        switch steps.last {
        case .close, .reset: FaultScript(Array(steps.dropLast()))
        default: self
        }
    }
}

extension FaultScript {
    /// A correct response; `Content-Length` is added unless the headers contain a length or an encoding.
    package static func respond(
        _ status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []
    ) -> FaultScript {
        let names = Set(headers.map { $0.0.lowercased() })
        let counted = names.contains("content-length") || names.contains("transfer-encoding")
        let length = counted ? [] : [("Content-Length", String(body.count))]
        return FaultScript([.send(head(status, length + headers)), .send(body)])
    }

    /// A picture, or any bytes, with its content type.
    package static func picture(_ body: [UInt8], type: String = "image/png") -> FaultScript {
        respond(headers: [("Content-Type", type)], body: body)
    }

    /// A status with a short text.
    package static func status(_ code: Int, headers: [(String, String)] = []) -> FaultScript {
        respond(code, headers: headers + [("Content-Type", "text/plain")], body: Array("status \(code)\n".utf8))
    }

    /// Returns the bytes of a response head including the blank line, without any checks.
    package static func head(_ status: Int = 200, _ headers: [(String, String)]) -> [UInt8] {
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

/// An action of a scripted server on a connection.
package enum FaultStep: Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends a byte `count` times without storing all copies.
    case fill(UInt8, count: Int)
    /// Sends bytes one by one with a pause after each.
    case drip([UInt8], every: Duration)
    /// Waits until a gate is open.
    case wait(FaultGate)
    /// Does nothing more until the client disconnects or the server stops.
    case stall
    /// Repeats bytes until the client disconnects or the server stops.
    case endless([UInt8])
    /// Accepts a `CONNECT` request with 200 and relays bytes between the client and a port of 127.0.0.1.
    case tunnel(port: Int)
    /// Closes the connection normally (FIN).
    case close
    /// Resets the connection (RST), with SO_LINGER of 0.
    case reset

    package static func send(_ text: String) -> FaultStep { .send(Array(text.utf8)) }
}
