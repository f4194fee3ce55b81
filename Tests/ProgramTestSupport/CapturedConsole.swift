import AlcedoConfig
import Foundation
import Glibc
import TestSupport

/// A console whose outputs are files.
package final class CapturedConsole: Sendable {
    package let console: Console
    private let place: TemporaryFolder
    private let descriptors: [Int32]

    package init() throws {
        let place = try TemporaryFolder()
        descriptors = ["output", "error"].map { open(place / $0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
        console = Console(input: -1, output: descriptors[0], error: descriptors[1])
        self.place = place
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// What went to standard output.
    package var output: String { get throws { try place.read("output") } }
    package var bytes: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: place / "output"))) } }

    /// What went to standard error.
    package var messages: String { get throws { try place.read("error") } }

    /// Every line of standard output as a JSON object.
    package var objects: [[String: Any]] {
        get throws {
            try output.split(separator: "\n").compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
    }
}
