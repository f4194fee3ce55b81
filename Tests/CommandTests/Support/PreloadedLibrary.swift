import Foundation
import TestSupport

extension Workplace {
    /// Compiles C functions that take the place of the system's in the program.
    ///
    /// - Returns: the environment that loads them into it.
    func replacing(_ functions: String) throws -> [String: String?] {
        let source = try write("#define _GNU_SOURCE\n" + functions, to: "replacements.c")
        let library = path("replacements.so")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", library, source]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw CompileError() }
        return ["LD_PRELOAD": library]
    }

    private struct CompileError: Error {}
}
