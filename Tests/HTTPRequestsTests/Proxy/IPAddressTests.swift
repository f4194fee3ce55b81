import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct IPAddressTests {
    @Test(arguments: ["", "h", "1.2.3", "1.2.3.4.5", "256.1.1.1", "0x7f.1", "1::2::3", "[::1]"])
    func `an invalid IP address is refused`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `addresses are compared by their first bits`() throws {
        let one = try #require(IPAddress("192.168.1.129"))
        let other = try #require(IPAddress("192.168.1.1"))
        #expect(one.shares(bits: 24, with: other))
        #expect(!one.shares(bits: 25, with: other))
        #expect(one.shares(bits: 0, with: try #require(IPAddress("8.8.8.8"))))
        #expect(!one.shares(bits: 0, with: try #require(IPAddress("::1"))))
        #expect(one.shares(bits: 32, with: one) && one.shares(bits: 99, with: one))
    }
}
