import FaultServer
import Foundation
import TestSupport
import Testing

/// Faults of name servers, certificates and descriptors, which functions in place of the system's cause.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SystemFaultTests {
    @Test func `a name server that never answers holds up nothing but its pictures`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let environment = try place.replacing(
            """
            #include <dlfcn.h>
            #include <netdb.h>
            #include <string.h>
            #include <unistd.h>
            int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                            struct addrinfo **result) {
                if (name && strstr(name, "silent.invalid")) for (;;) pause();
                int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
                    dlsym(RTLD_NEXT, "getaddrinfo");
                return real(name, service, hints, result);
            }
            """)

        let result = try await place.run(
            "prefetch", "http://silent.invalid/a.webp", server.url("/a.webp"), "--json", "--jobs", "1", "--max-time",
            "1", "--retries", "0", environment: environment)
        await server.stop()

        #expect(result.code == 3, "\(result.everything)")
        #expect(try result.objects("item").compactMap { $0["status"] }.sorted() == ["failed", "fetched"])
    }

    @Test func `a process without free descriptors is a fault of the machine, not of the address`() async throws {
        let place = try Workplace()
        let environment = try place.replacing(
            """
            #include <errno.h>
            #include <sys/socket.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int socket(int domain, int type, int protocol) {
                if (domain == AF_INET && (type & 0xf) == SOCK_STREAM) { errno = EMFILE; return -1; }
                return syscall(SYS_socket, domain, type, protocol);
            }
            """)

        let result = try await place.run(
            "prefetch", "http://127.0.0.1:9/a.webp", "--json", "--retries", "0", environment: environment)

        #expect(result.code == 1, "\(result.everything)")
        let error = try #require(try result.objects("item").first?.object("error"))
        #expect(error["kind"] == "environment")
        #expect(error["text"]?.contains("too many open files") == true)
    }

    @Test func `connections do not read the bundle of all certificates one by one`() async throws {
        let place = try Workplace()
        let identity = try TestIdentity()
        let server = try await FaultServer.start(tls: identity.serverTLS()) { _, _ in .status(404).then(.close) }
        let log = place.path("opened")
        let environment = try place.replacing(
            """
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <stdio.h>
            #include <string.h>
            #include <unistd.h>
            FILE *fopen64(const char *path, const char *mode) {
                FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen64");
                int log = open("\(log)", O_WRONLY | O_CREAT | O_APPEND, 0600);
                if (log >= 0) { write(log, path, strlen(path)); write(log, "\\n", 1); close(log); }
                return real(path, mode);
            }
            FILE *fopen(const char *path, const char *mode) { return fopen64(path, mode); }
            """)

        let addresses = (0..<4).map { "https://127.0.0.1:\(server.port)/\($0).webp" }
        _ = try await place.start(["prefetch", "--retries", "0"] + addresses, environment: environment).end()
        await server.stop()

        let opened = try place.read("opened").split(separator: "\n")
        #expect(!opened.isEmpty)
        #expect(opened.count { $0.hasSuffix("ca-certificates.crt") } <= 1)
    }
}
