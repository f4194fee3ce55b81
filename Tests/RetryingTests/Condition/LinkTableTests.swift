import Testing

@testable import Retrying

@Suite(.timeLimit(.minutes(1)))
struct LinkTableTests {
    private static let up: UInt32 = 0x41
    private static let loopback: UInt32 = 0x49
    private static let noCarrier: UInt32 = 0x1

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    private static func message(type: UInt16, interface: Int32 = 0, flags: UInt32 = 0) -> [UInt8] {
        let header = bytes(UInt32(32)) + bytes(type) + bytes(UInt16(0)) + bytes(UInt64(0))
        return header + [0, 0, 0, 0] + bytes(interface) + bytes(flags) + bytes(UInt32(0))
    }

    private static let done = message(type: 3)

    private static func table(_ datagrams: [UInt8]...) -> LinkTable {
        var table = LinkTable()
        for datagram in datagrams { datagram.withUnsafeBytes { table.read($0) } }
        return table
    }

    @Test func `a running interface counts as a link`() {
        let table = Self.table(Self.message(type: 16, interface: 2, flags: Self.up) + Self.done)
        #expect(table.isUp)
        #expect(table.isComplete)
    }

    @Test func `loopback and interfaces without carrier do not count as links`() {
        let table = Self.table(
            Self.message(type: 16, interface: 1, flags: Self.loopback)
                + Self.message(type: 16, interface: 2, flags: Self.noCarrier), Self.done)
        #expect(!table.isUp)
        #expect(table.isComplete)
    }

    @Test func `a listing is complete only after its done message`() {
        #expect(!Self.table(Self.message(type: 16, interface: 2, flags: Self.up)).isComplete)
    }

    @Test func `an interface that loses its carrier or is removed no longer counts`() {
        let link = Self.message(type: 16, interface: 2, flags: Self.up)
        #expect(!Self.table(link, Self.message(type: 16, interface: 2, flags: Self.noCarrier)).isUp)
        #expect(!Self.table(link, Self.message(type: 17, interface: 2, flags: Self.up)).isUp)
        #expect(Self.table(link, Self.message(type: 17, interface: 3, flags: Self.up)).isUp)
    }

    @Test func `truncated datagrams are read as far as possible`() {
        let datagram = Self.message(type: 16, interface: 2, flags: Self.up) + Self.done
        for length in 0..<datagram.count {
            #expect(Self.table(Array(datagram.prefix(length))).isUp == (length >= 32))
        }
    }

    @Test func `a wrong message length ends the reading`() {
        for length in [UInt32(0), 15, 33, .max] {
            let liar = Self.bytes(length) + Self.message(type: 16, interface: 2, flags: Self.up).dropFirst(4)
            #expect(!Self.table(liar).isUp)
        }
    }

    @Test func `the request is one message of its stated length`() {
        let request = LinkTable.listingRequest
        #expect(request.count == 32)
        #expect(Array(request.prefix(8)) == Self.bytes(UInt32(32)) + Self.bytes(UInt16(18)) + [1, 3])
    }
}
