import Foundation

/// The modules of this build, for tools of the compiler.
enum BuiltModules {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs a tool with the options that find the modules, and returns its exit code and what it printed.
    static func run(_ tool: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let command = """
            for map in "$ROOT"/Sources/C/*/module.modulemap "$BUILD"/*.build/module.modulemap; do
                set -- "$@" -Xcc "-fmodule-map-file=$map"
            done
            for flag in $(pkg-config --cflags-only-I gobject-2.0); do set -- "$@" -Xcc "$flag"; done
            exec "$@" -I "$BUILD/Modules" 2>&1
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command, "sh", tool] + arguments
        let build = repository.appending(path: ".build/debug").path(percentEncoded: false)
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["ROOT": repository.path(percentEncoded: false), "BUILD": build]) { $1 }
        return try process.result()
    }
}

extension Process {
    /// Runs the process to its end, and returns its exit code and what it printed.
    func result() throws -> (status: Int32, output: String) {
        let output = Pipe()
        standardOutput = output
        try run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        waitUntilExit()
        return (terminationStatus, text)
    }
}
