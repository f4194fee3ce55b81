import Foundation
import Glibc

/// The place of the config file, and what is read from there.
public struct ConfigurationFile: Sendable, Equatable {
    public static let maximumBytes = 1 << 20

    public let path: String
    /// Whether it may be missing: the standard one may, one that was asked for may not.
    public let isOptional: Bool

    /// `$ALCEDO_CONFIG`, else `$XDG_CONFIG_HOME/alcedo/config.toml`, else the same under `~/.config`.
    ///
    /// A relative `XDG_CONFIG_HOME` or `HOME` is ignored; nil when there is no place.
    public static func standard(environment: [String: String]) -> ConfigurationFile? {
        if let own = environment["ALCEDO_CONFIG"], !own.isEmpty {
            return ConfigurationFile(path: own, isOptional: false)
        }
        let name = "/alcedo/config.toml"
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            return ConfigurationFile(path: base + name, isOptional: true)
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return ConfigurationFile(path: home + "/.config" + name, isOptional: true)
    }

    /// Reads and checks the file; nil when there is none and none was asked for.
    public func read() throws(ConfigurationProblem) -> Configuration? {
        guard let text = try text() else { return nil }
        do throws(ConfigurationFaults) {
            return try ConfigurationReader.read(text)
        } catch {
            throw .faulty(path: path, error.faults)
        }
    }

    private func text() throws(ConfigurationProblem) -> String? {
        // Not to wait for the other end, should it be a FIFO.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if isOptional, errno == ENOENT || errno == ENOTDIR { return nil }
            throw unusable("cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unusable("is not a plain file")
        }
        let bytes = try bytes(from: descriptor)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .faulty(path: path, [ConfigurationFault("not UTF-8", at: .firstBadByte(of: bytes))])
        }
        return text
    }

    /// One byte more than the limit at most, as a file may grow while it is read.
    private func bytes(from descriptor: Int32) throws(ConfigurationProblem) -> [UInt8] {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        var bytes: [UInt8] = []
        do {
            while bytes.count <= Self.maximumBytes, let data = try handle.read(upToCount: 65_536), !data.isEmpty {
                bytes += data
            }
        } catch {
            throw unusable("cannot be read: \(error.localizedDescription)")
        }
        guard bytes.count <= Self.maximumBytes else { throw unusable("is larger than 1 MiB") }
        return bytes
    }

    private func unusable(_ reason: String) -> ConfigurationProblem { .unusable(path: path, reason: reason) }
}
