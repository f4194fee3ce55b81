@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Reports whether the machine has a network link.
public protocol LinkMonitor: Sendable {
    /// Returns a sequence of the current state and each change.
    ///
    /// It ends when there is nothing more to report. An unknown state counts as up.
    func updates() -> AsyncStream<Bool>
}

/// The network interfaces with a link, parsed from rtnetlink messages (rtnetlink(7), netlink(7)).
///
/// A pure value. Lengths in the messages are checked against the data, so parsing a cut or hostile datagram stops
/// early.
struct LinkTable: Equatable {
    /// Whether the first list of all interfaces is complete.
    private(set) var isComplete = false
    private var connected: Set<Int32> = []

    /// Whether an interface other than loopback is up and has a carrier.
    var isUp: Bool { !connected.isEmpty }

    private static let (done, newLink, deletedLink) = (UInt16(3), UInt16(16), UInt16(17))
    private static let (up, loopback, running) = (UInt32(0x1), UInt32(0x8), UInt32(0x40))
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
        if type == Self.done { isComplete = true }
        guard body.count >= Self.linkLength else { return }
        let interface = body.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        let flags = body.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        if type == Self.newLink, flags & (Self.up | Self.running | Self.loopback) == Self.up | Self.running {
            connected.insert(interface)
        } else if type == Self.newLink || type == Self.deletedLink {
            connected.remove(interface)
        }
    }
}

// Dispatch sources may be used from any thread, but their type does not say so.

/// Reports the link state that the Linux kernel sends over rtnetlink.
///
/// The link is up while an interface other than loopback is up and has a carrier. That does not mean that the Internet
/// can be reached. If netlink cannot be opened (some sandboxes), the link counts as up. Each sequence has its own
/// socket and closes it when the sequence ends.
public struct NetlinkMonitor: LinkMonitor {
    /// Creates a monitor; each of its sequences opens a socket of its own.
    public init() {}

    public func updates() -> AsyncStream<Bool> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard let socket = NetlinkSocket() else {
                continuation.yield(true)
                return continuation.finish()
            }
            let queue = DispatchQueue(label: "alcedo.netlink")
            let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
            let known = Mutex(LinkTable())
            source.setEventHandler {
                let isUp = known.withLock { socket.read(into: &$0) }
                if let isUp { continuation.yield(isUp) }
            }
            // The socket must outlive the source, which watches the descriptor until it is cancelled.
            source.setCancelHandler { withExtendedLifetime(socket) {} }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
            socket.requestListing()
        }
    }
}

/// A non-blocking rtnetlink socket that receives changes of links; it is closed with its last reference.
private final class NetlinkSocket: Sendable {
    let descriptor: Int32

    /// Creates the socket, or returns nil if the system refuses it.
    init?() {
        let type = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        // Protocol 0 is NETLINK_ROUTE.
        descriptor = socket(AF_NETLINK, type, 0)
        guard descriptor >= 0, bindToLinkGroup() else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func requestListing() {
        let request = LinkTable.listingRequest
        _ = send(descriptor, request, request.count, 0)
    }

    /// Reads all received data; returns the link state if it changed or became known, otherwise nil.
    func read(into table: inout LinkTable) -> Bool? {
        let before = table
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == ENOBUFS {
                // The kernel dropped messages, so the table is incomplete: request a new list.
                table = LinkTable()
                requestListing()
                continue
            }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { table.read(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        let isNews = table.isComplete && (!before.isComplete || before.isUp != table.isUp)
        return isNews ? table.isUp : nil
    }

    private func bindToLinkGroup() -> Bool {
        var address = sockaddr_storage()
        withUnsafeMutableBytes(of: &address) { bytes in
            // sockaddr_nl: family, padding, port 0 (the kernel chooses), groups (RTMGRP_LINK).
            bytes.storeBytes(of: UInt16(AF_NETLINK), toByteOffset: 0, as: UInt16.self)
            bytes.storeBytes(of: UInt32(1), toByteOffset: 8, as: UInt32.self)
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 12) == 0 }
        }
    }
}
