import AlcedoBrowserCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct ConfigurationFileTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func problem(_ file: ConfigurationFile) -> String? {
        do throws(ConfigurationProblem) {
            _ = try file.read()
            return nil
        } catch {
            return error.lines.joined(separator: "\n")
        }
    }

    private func file(_ name: String, isOptional: Bool = true) -> ConfigurationFile {
        ConfigurationFile(path: place / name, isOptional: isOptional)
    }

    @Test(arguments: [
        (["ALCEDO_CONFIG": "own.toml", "XDG_CONFIG_HOME": "/xdg", "HOME": "/home"], "own.toml"),
        (["ALCEDO_CONFIG": "", "XDG_CONFIG_HOME": "/xdg", "HOME": "/home"], "/xdg/alcedo/config.toml"),
        (["XDG_CONFIG_HOME": "relative", "HOME": "/home"], "/home/.config/alcedo/config.toml"),
        (["HOME": "/home"], "/home/.config/alcedo/config.toml"),
        (["HOME": "relative"], nil),
        ([:], nil),
    ])
    func `the environment decides the path of the config file`(environment: [String: String], path: String?) {
        #expect(ConfigurationFile.standard(environment: environment)?.path == path)
    }

    @Test func `the config file is read`() throws {
        try place.write("config.toml", "[transfers]\njobs = 3\n".utf8)
        #expect(try file("config.toml").read()?[.jobs] == 3)
    }

    @Test func `a missing config file is an error only if it was requested explicitly`() throws {
        try place.write("plain")
        #expect(try file("none").read() == nil)
        #expect(try file("plain/none").read() == nil)
        #expect(
            problem(file("none", isOptional: false))
                == "\(place / "none"): cannot be opened: No such file or directory")
        #expect(ConfigurationFile.standard(environment: ["ALCEDO_CONFIG": "x"])?.isOptional == false)
        #expect(ConfigurationFile.standard(environment: ["HOME": "/"])?.isOptional == true)
    }

    @Test func `faults contain the path of the config file`() throws {
        try place.write("config.toml", "[transfers]\njobs = 0\nx = 1".utf8)
        let path = place / "config.toml"
        let lines = try #require(problem(file("config.toml"))).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "\(path):2:8: jobs takes a number from 1 to 1024, not 0")
        #expect(lines.last?.hasPrefix("\(path):3:1: ") == true)
    }

    @Test func `a config path that is not a regular file is refused at once`() throws {
        try #require(mkfifo(place / "fifo", 0o600) == 0)
        #expect(problem(file("fifo"))?.hasSuffix("is not a plain file") == true)
        #expect(
            problem(ConfigurationFile(path: place.path, isOptional: true))?.hasSuffix("is not a plain file") == true)
        #expect(
            problem(ConfigurationFile(path: "/dev/zero", isOptional: true))?.hasSuffix("is not a plain file") == true)
    }

    @Test func `a symbolic link to the config file is followed`() throws {
        try place.write("real.toml", "[transfers]\njobs = 3\n".utf8)
        try FileManager.default.createSymbolicLink(
            atPath: place / "link.toml", withDestinationPath: place / "real.toml")
        #expect(try file("link.toml").read()?[.jobs] == 3)
    }

    @Test func `a config file larger than 1 MiB is refused`() throws {
        let line = "#" + String(repeating: "x", count: 1022) + "\n"
        let most = String(repeating: line, count: 1024)
        try place.write("most.toml", most.utf8)
        try place.write("more.toml", (most + "\n").utf8)
        #expect(problem(file("most.toml")) == nil)
        #expect(problem(file("more.toml"))?.hasSuffix("is larger than 1 MiB") == true)
    }

    @Test func `a config file that is not UTF-8 is refused with the position`() throws {
        try place.write("config.toml", Array("# ä\nx = ".utf8) + [0xFF])
        #expect(problem(file("config.toml")) == "\(place / "config.toml"):2:5: not UTF-8")
    }

    @Test func `a wrong variable of the environment is reported and left out`() throws {
        try place.write("alcedo/config.toml", "[transfers]\njobs = 3".utf8)
        let environment = ["XDG_CONFIG_HOME": place.path, "ALCEDO_CACHE_DIR": "x", "NO_COLOR": "1", "HOME": "/h"]
        let contents = ConfigurationContents(environment: environment)
        #expect(contents.configuration[.jobs] == 3 && !contents.hasFaultyFile)
        #expect(contents.faults.map(\.description) == ["$ALCEDO_CACHE_DIR: takes an absolute path, not 'x'"])
        #expect(contents.faults.first?.source == "x")
        #expect(contents.usable(environment).keys.sorted() == ["HOME", "NO_COLOR", "XDG_CONFIG_HOME"])
    }

    @Test func `a config file that is ignored has no faults`() throws {
        try place.write("alcedo/config.toml", "x = 1".utf8)
        let environment = ["XDG_CONFIG_HOME": place.path]
        #expect(ConfigurationContents(environment: environment).hasFaultyFile)
        #expect(ConfigurationContents(environment: environment, ignoresFile: true).faults.isEmpty)
    }

    @Test func `a report tells whether the config file exists and is valid`() throws {
        try place.write("good.toml")
        try place.write("bad.toml", "x = 1".utf8)
        let good = ConfigurationReport(file("good.toml"))
        let none = ConfigurationReport(file("none.toml"))
        let bad = ConfigurationReport(file("bad.toml"))
        let folder = ConfigurationReport(ConfigurationFile(path: place.path, isOptional: true))
        #expect(good.ok && good.exists && good.lines == [place / "good.toml", "ok"])
        #expect(none.ok && !none.exists && none.lines.last?.contains("defaults") == true)
        #expect(!bad.ok && bad.exists && bad.faults.map(\.line) == [1] && bad.reason == nil)
        #expect(!folder.ok && folder.faults.map(\.line) == [nil] && folder.reason == "is not a plain file")
    }
}
