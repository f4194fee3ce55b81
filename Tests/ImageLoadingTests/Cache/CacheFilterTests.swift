import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct CacheFilterTests {
    @Test(
        arguments: [
            ("host:example.org", .host("example.org")), ("type:png", .format("PNG")),
            ("type:jpegxl", .format("JPEG XL")), ("type:jpg", .format("JPEG")),
            ("kind:original", .kind("original")),
            ("size>500K", .larger(512_000)), ("size<2m", .smaller(2 << 20)), ("size>1G", .larger(1 << 30)),
            ("size>7", .larger(7)), ("size>1.5M", .larger(3 << 19)), ("size>2MiB", .larger(2 << 20)),
            ("size>1T", .larger(1 << 40)), ("age>12h", .olderThan(43_200)), ("age>1.5d", .olderThan(129_600)),
            ("age>30s", .olderThan(30)), ("age>2m", .olderThan(120)), ("hits<3", .fewerHits(3)),
            ("state:expired", .expired), ("state:pinned", .pinned), ("harbour", .word("harbour")),
            ("state", .word("state")), ("w>1000", .above(.width, 1000)), ("h<20", .below(.height, 20)),
            ("mpx>1.5", .above(.megapixels, 1.5)), ("frames>1", .above(.frames, 1)), ("w", .word("w")),
            ("verdict:corrupt", .verdict("corrupt")), ("color:cmyk", .colorModel("CMYK")),
            ("alpha:yes", .alpha(true)), ("dup", .duplicate), ("duplicate", .word("duplicate")),
            ("https://example.org", .word("https://example.org")), ("/a/*.png", .path("/a/*.png")),
            ("*.png", .path("*.png")), ("key:harbour", .source(CacheEntryName.source("harbour"))),
            ("key:35ed", .named(CacheEntryNamePrefix("35ed")!)),
        ] as [(String, CacheFilter.Term)])
    func `a term is read`(text: String, term: CacheFilter.Term) throws {
        #expect(try CacheFilter(text).terms == [term])
    }

    @Test func `terms are joined and blanks between them mean nothing`() throws {
        #expect(try CacheFilter("  host:a   b ").terms == [.host("a"), .word("b")])
        #expect(try CacheFilter("   ") == CacheFilter())
    }

    @Test(
        arguments: [
            ("\"sp *.png\"", [.path("sp *.png")]),
            ("host:a \"/my cats/*\" b", [.host("a"), .path("/my cats/*"), .word("b")]),
            ("\"sp ace.png\"", [.word("sp ace.png")]), ("\"sp *", [.path("sp *")]), ("\"\" \"", []),
            ("key:\"my cat\"", [.source(CacheEntryName.source("my cat"))]),
        ] as [(String, [CacheFilter.Term])])
    func `quotes make one term of what has blanks`(text: String, terms: [CacheFilter.Term]) throws {
        #expect(try CacheFilter(text).terms == terms)
    }

    @Test(
        arguments: [
            (["sp *.png"], "\"sp *.png\""), (["host:a", "/my cats/*"], "host:a \"/my cats/*\""),
            (["host:a *.png"], "host:a *.png"),
            (["size>1K hits<2"], "size>1K hits<2"), (["\"sp *.png\" b"], "\"sp *.png\" b"), (["a b"], "a b"), ([], ""),
        ] as [([String], String)])
    func `an argument that is a glob with blanks is one term`(arguments: [String], text: String) {
        #expect(CacheFilter.text(of: arguments) == text)
    }

    @Test func `a blank before a unit is no word`() throws {
        #expect { try CacheFilter("size>1 M") } throws: {
            ($0 as? CacheFilter.Problem)?.expected == "size>1M, without a blank"
        }
        #expect(try CacheFilter("size>1M M").terms == [.larger(1 << 20), .word("M")])
    }

    @Test func `a size beyond all numbers is the largest`() throws {
        #expect(try CacheFilter("size<9000000000000000000G").terms == [.smaller(.max)])
    }

    @Test(arguments: [
        "size>", "size>K", "size>-1", "size>1X", "size>1e9", "size>.", "age>", "age>5", "age>xh", "age>nand",
        "age>infd", "age>-1s",
        "hits<", "hits<x", "kind:other", "state:", "state:lost", "hits>1", "size=678", "host>a", "age:5d", "age",
        "size", "hits", "type:bogus", "key:", "size>1.5", "size<2 KiB", "hits<3 K",
    ])
    func `a term that makes no sense is named`(text: String) {
        #expect { try CacheFilter("word \(text)") } throws: { error in
            guard let problem = error as? CacheFilter.Problem else { return false }
            return problem.term == text && !problem.expected.isEmpty
        }
    }

    @Test(arguments: ImageFormat.allCases)
    func `every format can be named, without its spaces`(format: ImageFormat) throws {
        let name = format.rawValue.lowercased().replacing(" ", with: "")
        #expect(try CacheFilter("type:\(name)").terms == [.format(format.rawValue)])
    }
}
