import Raster
import Testing

/// That the terminal these tests rely on does refuse what they say it refuses.
@Suite(.timeLimit(.minutes(1))) struct KittyScreenTests {
    @Test(arguments: [
        "^_Ga=T,f=24,s=1,v=1,m=0;AAAA^\\", "^_Ga=T,q=2,f=24,s=2,v=1,m=0;AAAA^\\", "^_Ga=T,q=2,f=24,s=1,v=1;AAAA^\\",
        "^_Gq=2,m=0;AAAA^\\", "^_Ga=T,q=2,f=24,s=1,v=1,m=1;AAA^\\", "^_Ga=T,q=2,f=24,s=1,v=1,m=0;AA-A^\\",
        "^_Ga=T,q=2,f=24,s=1,v=1,m=1;AAAA^\\^_Ga=T,q=2,f=24,s=1,v=1,m=0;AAAA^\\", "^_Ga=T,q=2,^[H;AAAA^\\", "x",
        "^_Ga=T,q=2,f=24,s=1,v=1,m=0,k=1;AAAA^\\", "^_Ga=d,q=2,d=I^\\", "^_Ga=T,q=2,f=24,s=1,v=1,o=z,m=0;AAAA^\\",
    ])
    func `malformed streams are refused`(stream: String) {
        var screen = KittyScreen()
        let bytes = Array(stream.replacing("^", with: "\u{1B}").utf8)
        #expect(throws: Unpacking.Refusal.self) { try screen.read(bytes) }
    }

    @Test func `a picture is placed and erased`() throws {
        var screen = KittyScreen()
        try screen.read(Array("\u{1B}[3;2H\u{1B}_Ga=T,q=2,i=9,f=24,s=1,v=1,m=0;AAEC\u{1B}\\".utf8))
        #expect(screen.only?.image.bytes == [0, 1, 2, 255])
        #expect(screen.only?.row == 2)
        try screen.read(Array("\u{1B}_Ga=d,q=2,d=I,i=9\u{1B}\\".utf8))
        #expect(screen.placements.isEmpty)
        #expect(screen.images.isEmpty)
    }
}
