/// One thing a scripted server does on a connection.
public enum FaultStep: Sendable {
    /// Sends the bytes as they are.
    case send([UInt8])
    /// Sends the byte so many times, without holding them all.
    case fill(UInt8, count: Int)
    /// Sends one byte after another with a pause after each.
    case drip([UInt8], every: Duration)
    /// Goes on when the gate is open.
    case wait(FaultGate)
    /// Does nothing more until the client leaves or the server stops.
    case stall
    /// Repeats the bytes until the client leaves or the server stops.
    case endless([UInt8])
    /// Answers a `CONNECT`: says 200, and carries bytes between the client and a port of 127.0.0.1 until one leaves.
    case tunnel(port: Int)
    /// Closes in good order (FIN).
    case close
    /// Closes without order (RST): SO_LINGER of 0.
    case reset

    public static func send(_ text: String) -> FaultStep { .send(Array(text.utf8)) }
}
