/// The network interfaces with a link, parsed from rtnetlink messages (rtnetlink(7), netlink(7)).
///
/// A pure value. Lengths in the messages are checked against the data, so parsing a cut or hostile datagram stops early.
struct LinkTable: Equatable {
    /// Whether the first list of all interfaces is complete.
    private(set) var isComplete = false
    private var connected: Set<Int32> = []

    /// Whether an interface other than loopback is up and has a carrier.
    var isUp: Bool { !connected.isEmpty }

    private enum MessageType {
        static let done: UInt16 = 3
        static let newLink: UInt16 = 16
        static let deletedLink: UInt16 = 17
    }

    private enum Flag {
        static let up: UInt32 = 0x1
        static let loopback: UInt32 = 0x8
        static let running: UInt32 = 0x40
    }

    private static let headerLength = 16
    private static let linkLength = 16

    /// A datagram that requests a list of all interfaces (`RTM_GETLINK` with `NLM_F_REQUEST | NLM_F_DUMP`).
    static var listingRequest: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: headerLength + linkLength)
        bytes.withUnsafeMutableBytes { buffer in
            buffer.storeBytes(of: UInt32(headerLength + linkLength), toByteOffset: 0, as: UInt32.self)
            buffer.storeBytes(of: UInt16(18), toByteOffset: 4, as: UInt16.self)
            buffer.storeBytes(of: UInt16(0x301), toByteOffset: 6, as: UInt16.self)
        }
        return bytes
    }

    /// Parses one datagram, which may contain several messages.
    mutating func read(_ datagram: UnsafeRawBufferPointer) {
        var rest = datagram[...]
        while rest.count >= Self.headerLength {
            let message = UnsafeRawBufferPointer(rebasing: rest)
            let length = Int(message.loadUnaligned(as: UInt32.self))
            guard length >= Self.headerLength, length <= message.count else { return }
            read(
                type: message.loadUnaligned(fromByteOffset: 4, as: UInt16.self),
                body: UnsafeRawBufferPointer(rebasing: message[Self.headerLength..<length]))
            // Messages start at multiples of four bytes.
            rest = rest.dropFirst((length + 3) & ~3)
        }
    }

    private mutating func read(type: UInt16, body: UnsafeRawBufferPointer) {
        if type == MessageType.done { isComplete = true }
        guard body.count >= Self.linkLength else { return }
        let interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        let flags = body.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        switch type {
        case MessageType.newLink where flags & (Flag.up | Flag.running | Flag.loopback) == Flag.up | Flag.running:
            connected.insert(interface)
        case MessageType.newLink, MessageType.deletedLink:
            connected.remove(interface)
        default: break
        }
    }
}
