import Testing

@testable import Lists

@Suite struct ListFormatTests {
    @Test(arguments: ["", "a.png", "# list\nhttp://a/\n", "\u{FEFF}grün.png\r\n", "BM.png\n"])
    func textIsAList(text: String) {
        #expect(ListFormat.recognise(Array(text.utf8)) == .plainText)
    }

    @Test func oneZeroByteInALongTextIsStillAList() {
        #expect(ListFormat.recognise(Array("http://a.example/1.png\n\u{0}\n".utf8)) == .plainText)
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13], "it is a picture"),
            ([0x1F, 0x8B, 8, 0], "it is compressed with gzip"),
            ([0xFF, 0xFE, 0x61, 0], "it is UTF-16 text, UTF-8 is needed"),
            ([0x50, 0x4B, 3, 4, 0, 0], "it is a ZIP archive"), ([1, 2, 3, 4, 0, 0, 65], "it holds binary data"),
        ] as [([UInt8], String)])
    func binaryIsNoListAndSaysWhatItIs(bytes: [UInt8], reason: String) {
        #expect(ListFormat.recognise(bytes) == .none(reason))
    }
}
