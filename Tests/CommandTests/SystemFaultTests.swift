import FaultServer
import Foundation
import TestSupport
import Testing

/// Faults of name servers, certificates, descriptors and kernels, which functions in place of the system's cause.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SystemFaultTests {
    @Test func `a name server that never answers delays only its own pictures`() async throws {
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

    @Test func `missing file descriptors are a local fault, not one of the address`() async throws {
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

    @Test func `the certificate bundle is read at most once`() async throws {
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

    /// A kernel without Landlock and without filters of system calls.
    private static let oldKernel = """
        #include <errno.h>
        #include <dlfcn.h>
        #include <stdarg.h>
        #include <sys/syscall.h>
        int seccomp_load(void *filter) { return -EINVAL; }
        long syscall(long number, ...) {
            va_list list;
            va_start(list, number);
            long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long);
            long e = va_arg(list, long), f = va_arg(list, long);
            va_end(list);
            if (number == 444 || number == 445 || number == 446) { errno = ENOSYS; return -1; }
            long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
            return real(number, a, b, c, d, e, f);
        }
        """

    @Test func `sandbox auto warns once about protections missing in the kernel`() async throws {
        let place = try Workplace()
        let environment = try place.replacing(Self.oldKernel)
        let pictures = try (0..<3).map { try place.write(Pictures.asset("kelp.jpg"), to: "\($0).jpg") }

        let shown = try await place.start(["show", "--format", "blocks"] + pictures, environment: environment).end()

        #expect(shown.code == 0 && !shown.output.isEmpty)
        #expect(
            shown.errors.components(separatedBy: "decoding without landlock and seccomp").count == 2,
            "\(shown.errors)")
        let quiet = try await place.run("show", "--format", "blocks", pictures[0])
        #expect(quiet.code == 0 && quiet.errors.isEmpty)
    }

    @Test func `sandbox required refuses without reporting damage, and sandbox off prints no warning`() async throws {
        let place = try Workplace()
        let environment = try place.replacing(Self.oldKernel)
        let picture = try place.write(Pictures.asset("kelp.jpg"), to: "a.jpg")

        let refused = try await place.run(
            "show", "--sandbox", "required", "--format", "blocks", picture, environment: environment)
        #expect(refused.code == 1 && refused.errors.contains("the kernel lacks a protection"), "\(refused.errors)")
        let off = try await place.run(
            "show", "--sandbox", "off", "--format", "blocks", picture, environment: environment)
        #expect(off.code == 0 && !off.errors.contains("without"))
    }

    @Test
    func `a missing decoder library is no damage, and the picture is fetched when the library is installed`()
        async throws
    {
        let place = try Workplace()
        let picture = Array(
            #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="4" height="4"/></svg>"#.utf8)
        let server = try await FaultServer.start(["/a.svg": .picture(picture, type: "image/svg+xml")])
        let environment = try place.replacing(
            """
            #include <dlfcn.h>
            #include <string.h>
            void *dlopen(const char *name, int flags) {
                if (name && strstr(name, "libvips")) return NULL;
                void *(*real)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
                return real(name, flags);
            }
            """)

        let without = try await place.run("prefetch", server.url("/a.svg"), "--json", environment: environment)
        let with = try await place.run("prefetch", server.url("/a.svg"), "--json")
        let shown = try await place.run(
            "show", server.url("/a.svg"), "--format", "blocks", environment: environment)
        let listing = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(without.code == 1, "\(without.everything)")
        let error = try #require(try without.objects("item").first?.object("error"))
        #expect(error["kind"] == "environment" && error["text"]?.contains("libvips42") == true)
        #expect(try with.code == 0 && with.objects("item").first?["status"] == "fetched")
        // A machine without the library does not touch the entry.
        #expect(shown.code == 1 && shown.errors.contains("libvips42"))
        #expect(try listing.objects().count == 1)
    }

    @Test(arguments: ["ulimit -f 16", "ulimit -n 12", "ulimit -n 20", "ulimit -v 2000000"])
    func `a resource limit is not reported as a damaged picture`(limit: String) async throws {
        let place = try Workplace()
        let picture = try place.write(Pictures.asset("fjord.webp"), to: "a.webp")
        let shown = try await place.start(
            ["show", "--format", "blocks", picture], shell: "\(limit); exec \"$0\" \"$@\""
        ).end()
        #expect(shown.code == 0 || shown.code == 1, "\(shown.everything)")
        #expect(!shown.errors.contains("damaged"), "\(shown.errors)")
    }

    @Test(arguments: [
        ("ulimit -n 5", "only 5 files may be open: raise 'ulimit -n'"),
        ("ulimit -v 120000", "only 117 MiB of address space may be used, of 256 needed: raise 'ulimit -v'"),
        ("ulimit -v 400000", "only 390 MiB of address space may be used, of 512 needed: raise 'ulimit -v'"),
        ("ulimit -n 20", "only 20 files may be open, and a transfer needs 25: raise 'ulimit -n'"),
    ])
    func `a limit that is too low is reported at the start`(limit: String, problem: String) async throws {
        let place = try Workplace()
        let result = try await place.start(
            ["prefetch", "--jobs", "1", "http://127.0.0.1:9/a.webp"], shell: "\(limit); exec \"$0\" \"$@\""
        ).end()
        #expect(result.code == 1 && result.errors == "alcedo: \(problem)\n", "\(result.everything)")
    }

    @Test func `a process that cannot start threads reports it at once`() async throws {
        let place = try Workplace()
        let environment = try place.replacing(
            """
            #include <errno.h>
            int pthread_create() { return EAGAIN; }
            """)
        let result = try await place.start(
            ["cache", "stats"], shell: "ulimit -u 1000 2>/dev/null || ulimit -p 1000; exec \"$0\" \"$@\"",
            environment: environment
        ).end()
        #expect(result.code == 1 && result.errors.contains("no more threads may be started"), "\(result.everything)")
    }
}
