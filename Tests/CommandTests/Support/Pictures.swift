import Foundation
import TestSupport

/// Bytes of pictures that ship with the program, for servers and files.
enum Pictures {
    static func bytes(_ name: String = "fjord.webp") throws -> [UInt8] {
        Array(try Data(contentsOf: BuiltProgram.picture(name)))
    }
}
