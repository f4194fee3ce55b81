import Glibc

extension sockaddr_in {
    /// A port of 127.0.0.1; 0 for one that the system chooses.
    public static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        return address
    }
}
