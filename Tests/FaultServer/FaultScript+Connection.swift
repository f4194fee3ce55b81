/// Connection faults: resets, stalls, drips (H3 to H6 of the fault matrix).
extension FaultScript {
    /// RST after the request; as a server's `onAccept` script, before it.
    package static let reset = FaultScript([.reset])

    /// Closes without a response.
    package static let hangUp = FaultScript([.close])

    /// Never responds.
    package static let stall = FaultScript([.stall])

    /// RST within the head.
    package static let resetInHead = FaultScript([.send("HTTP/1.1 200 OK\r\nContent-Le"), .reset])

    /// RST after some bytes of the body.
    package static func resetInBody(_ body: [UInt8], after count: Int) -> FaultScript {
        part(body, count).then(.reset)
    }

    /// RST after the last byte of a complete body.
    package static func resetAfterBody(_ body: [UInt8]) -> FaultScript {
        picture(body).then(.reset)
    }

    /// Stops sending after some bytes of the body.
    package static func stallInBody(_ body: [UInt8], after count: Int) -> FaultScript {
        part(body, count).then(.stall)
    }

    /// Waits at a gate after some bytes of the body, then sends the rest.
    package static func pauseInBody(_ body: [UInt8], after count: Int, until gate: FaultGate) -> FaultScript {
        part(body, count).then(.wait(gate), .send(Array(body.dropFirst(count))))
    }

    /// Sends the head byte by byte.
    package static func dripHead(every pause: Duration) -> FaultScript {
        FaultScript([.drip(head(200, [("Content-Length", "0")]), every: pause)])
    }

    /// Sends the body byte by byte.
    package static func dripBody(_ body: [UInt8], every pause: Duration) -> FaultScript {
        part(body, 0).then(.drip(body, every: pause))
    }

    /// Sends a complete head and the first bytes of the body.
    static func part(_ body: [UInt8], _ count: Int) -> FaultScript {
        let head = head(200, [("Content-Type", "image/png"), ("Content-Length", String(body.count))])
        return FaultScript([.send(head), .send(Array(body.prefix(count)))])
    }
}
