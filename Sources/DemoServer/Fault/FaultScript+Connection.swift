/// Faults of the connection: resets, stalls, drips (H3 to H6 of the fault matrix).
extension FaultScript {
    /// RST as soon as the request was read; as a server's `onAccept` script, before it.
    public static let reset = FaultScript([.reset])

    /// Closes without an answer.
    public static let hangUp = FaultScript([.close])

    /// Never answers.
    public static let stall = FaultScript([.stall])

    /// RST after a part of the head.
    public static let resetInHead = FaultScript([.send("HTTP/1.1 200 OK\r\nContent-Le"), .reset])

    /// RST after so many bytes of the body.
    public static func resetInBody(_ body: [UInt8], after count: Int) -> FaultScript {
        part(body, count).then(.reset)
    }

    /// RST after the last byte of a complete body.
    public static func resetAfterBody(_ body: [UInt8]) -> FaultScript {
        picture(body).then(.reset)
    }

    /// Says nothing more after so many bytes of the body.
    public static func stallInBody(_ body: [UInt8], after count: Int) -> FaultScript {
        part(body, count).then(.stall)
    }

    /// Waits at the gate after so many bytes of the body, then sends the rest.
    public static func pauseInBody(_ body: [UInt8], after count: Int, until gate: FaultGate) -> FaultScript {
        part(body, count).then(.wait(gate), .send(Array(body.dropFirst(count))))
    }

    /// One byte of the head at a time.
    public static func dripHead(every pause: Duration) -> FaultScript {
        FaultScript([.drip(head(200, [("Content-Length", "0")]), every: pause)])
    }

    /// One byte of the body at a time.
    public static func dripBody(_ body: [UInt8], every pause: Duration) -> FaultScript {
        part(body, 0).then(.drip(body, every: pause))
    }

    /// The head of the whole body, and its first bytes.
    static func part(_ body: [UInt8], _ count: Int) -> FaultScript {
        let head = head(200, [("Content-Type", "image/png"), ("Content-Length", String(body.count))])
        return FaultScript([.send(head), .send(Array(body.prefix(count)))])
    }
}
