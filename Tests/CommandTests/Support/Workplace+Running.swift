import Foundation
import TestSupport

extension Workplace {
    /// Runs the program to its end; a nil in the environment takes the variable away.
    func run(
        _ arguments: String..., input: String = "", environment: [String: String?] = [:]
    ) async throws -> ProgramResult {
        try await start(arguments, input: input, environment: environment).end()
    }

    /// Starts the program, or a shell that is given the program as `$0`.
    func start(
        _ arguments: [String], shell script: String? = nil, input: String = "", environment: [String: String?] = [:]
    ) throws -> RunningProgram {
        let program = try BuiltProgram.url()
        let command = script.map { ["-c", $0, program.path] } ?? []
        let own = self.environment.mapValues { Optional($0) }
        return try RunningProgram(
            executable: script == nil ? program : URL(filePath: "/bin/sh"), arguments: command + arguments,
            environment: own.merging(environment) { _, new in new }.compactMapValues { $0 }, place: self, input: input)
    }

    /// Makes the manual page of the program, with the date of the second day of 1970.
    func manual() async throws -> ProgramResult {
        let maker = BuiltProgram.root.appending(path: "packaging/make-manual").path
        return try await start(
            [maker], shell: #"ALCEDO="$0" exec "$1""#, environment: ["SOURCE_DATE_EPOCH": "86400"]
        ).end()
    }
}
