import Foundation
import TestSupport
import Testing

@testable import Lists

@Suite struct ListSourceTests {
    @Test func dashIsStandardInputAndAURLIsOnePicture() throws {
        #expect(try ListSource.recognise("-") == .standardInput)
        #expect(try ListSource.recognise("https://a.example/x") == .picture("https://a.example/x"))
    }

    @Test func existingPathsAreToldApartByWhatTheyAre() throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("a.png")
        let unnamed = try folder.write("unnamed", Array("GIF89a".utf8))
        let list = try folder.write("list.txt", Array("a.png\n".utf8))
        #expect(try ListSource.recognise(folder.path) == .folder(folder.path))
        #expect(try ListSource.recognise("a.png", from: folder.path) == .picture(picture))
        #expect(try ListSource.recognise(unnamed) == .picture(unnamed))
        #expect(try ListSource.recognise("file://\(list)") == .file(list))
    }

    @Test func missingFileAndForeignSchemeAreErrors() {
        #expect(throws: ListError.missing(file: "/nowhere/x.txt")) { try ListSource.recognise("/nowhere/x.txt") }
        #expect(throws: ListError.self) { try ListSource.recognise("ftp://a/x") }
    }

    @Test func errorsNameFileLineAndReasonWithoutSecrets() {
        let error = #expect(throws: ListError.self) { try ListSource.recognise("ftp://me:secret@a/x") }
        #expect(error?.description == "ftp://a/x: the scheme ftp is not one of http, https, file, data")
        #expect(
            ListError.unreadable(file: "l.txt", line: 4, reason: "Input/output error").description
                == "l.txt:4: cannot be read: Input/output error")
    }
}
