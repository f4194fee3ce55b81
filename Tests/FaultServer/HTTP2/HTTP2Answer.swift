/// A request to a server of tests that speaks HTTP/2.
package struct HTTP2Request: Hashable, Sendable {
    /// The number of earlier requests to the server.
    package let turn: Int
    /// The number of the connection, from 1.
    package let connection: Int
    /// The identifier of the stream; 0 for a request of HTTP/1.1.
    package let stream: Int
    package let fields: HTTP2Fields

    package var method: String { fields[":method"].first ?? "" }
    /// The request target including its query.
    package var path: String { fields[":path"].first ?? "" }
    package var isHTTP2: Bool { stream != 0 }
}

/// The fields of a request; names have small letters.
package struct HTTP2Fields: Hashable, Sendable {
    package let list: [HTTP2Field]

    /// The values of a field in order.
    package subscript(_ name: String) -> [String] { list.filter { $0.name == name }.map(\.value) }
}

/// The response of a test server to a request.
///
/// Requests of HTTP/1.1 get the answer as far as that knows it; everything else closes the connection.
package struct HTTP2Answer: Hashable, Sendable {
    /// A fault in place of a response, or after its beginning.
    package enum Fault: Hashable, Sendable {
        /// Ends the connection with a code after the streams up to the last one that it claims to have handled.
        case goAway(HTTP2Code, lastStream: Int = 0)
        /// Ends the stream with a code.
        case reset(HTTP2Code)
        /// Sends nothing more until the client gives up.
        case stall
    }

    package var status = 200
    package var fields = [HTTP2Field("content-type", "image/png")]
    package var body: [UInt8] = []
    /// The fields after the body.
    package var trailers: [HTTP2Field] = []
    /// Whether the body is sent again and again until the client gives up.
    package var isEndless = false
    /// Whether status and fields are sent; nothing else is without them.
    package var hasHead = true
    /// Replaces the end of the body.
    package var fault: Fault?

    package init(body: [UInt8]) { self.body = body }

    /// An answer of nothing but a fault.
    package init(fault: Fault) {
        hasHead = false
        self.fault = fault
    }

    /// Returns an answer whose trailer is a field with a value of so many bytes.
    package static func trailers(of count: Int, body: [UInt8]) -> HTTP2Answer {
        var answer = HTTP2Answer(body: body)
        answer.trailers = [HTTP2Field("x-long", String(repeating: "a", count: max(0, count)))]
        return answer
    }

    /// Returns an answer whose body never ends.
    package static func endless(_ body: [UInt8]) -> HTTP2Answer {
        var answer = HTTP2Answer(body: body)
        answer.isEndless = !body.isEmpty
        return answer
    }

    /// Returns an answer that breaks off after its body's first bytes.
    package static func broken(_ body: [UInt8], after count: Int, _ fault: Fault) -> HTTP2Answer {
        var answer = HTTP2Answer(body: Array(body.prefix(count)))
        answer.fields.append(HTTP2Field("content-length", "\(body.count)"))
        answer.fault = fault
        return answer
    }
}
