import Foundation
import TestSupport

extension Workplace {
    /// One with a folder of three pictures of four colours each: `one.png`, `two.png` and `three.png`.
    static func withPictures() throws -> Workplace {
        let files = QuadrantPicture.all.map { ("pictures/\($0)", $1.png) }
        return try Workplace(files: Dictionary(files) { $1 })
    }

    var pictures: URL { folder.appending(path: "pictures") }
}
