import Raster
import Testing

@testable import AlcedoFilters

@Suite(.timeLimit(.minutes(1)))
struct PictureFilterTests {
    private static func terms(_ text: String, in scope: FilterScope = .cache) throws -> [FilterTerm] {
        try PictureFilter(text, in: scope).terms
    }

    private static func text(_ text: String) -> FilterTerm { .text(TextPattern(text)) }

    private static let facts: [(String, FilterTerm)] = [
        ("host:example.org", .host("example.org")), ("host:[::1]:80", .host("[::1]:80")), ("type:png", .format(.png)),
        ("type:jpegxl", .format(.jpegXL)), ("type:jpg", .format(.jpeg)), ("type:tiff", .format(.tiff)),
        ("type:", .format(nil)), ("kind:original", .kind("original")), ("key:harbour", .key("harbour")),
        ("state:expired", .state(.expired)), ("verdict:corrupt", .verdict(.corrupt)), ("color:cmyk", .color(.cmyk)),
        ("alpha:yes", .alpha(true)), ("ratio:16:9", .ratio(16.0 / 9)), ("dup", .duplicate), ("like", .similar(10)),
        ("like:10", .similar(10)), ("mismatch", .mismatch), ("camera:FUJI", .camera("fuji")),
        ("taken:2026", .taken("2026")), ("taken:2026-07-14", .taken("2026-07-14")),
        ("sha256:9F86D081", .digest("9f86d081")),
    ]

    private static let numbers: [(String, FilterTerm.Number, FilterTerm.Comparison, Double)] = [
        ("bytes>500K", .bytes, .above, 512_000), ("size<2m", .bytes, .below, 2_097_152),
        ("size>=7", .bytes, .atLeast, 7),
        ("size>1.5M", .bytes, .above, 1_572_864), ("size>2MiB", .bytes, .above, 2_097_152),
        ("age>12h", .age, .above, 43_200), ("age<1.5d", .age, .below, 129_600), ("age>30s", .age, .above, 30),
        ("unused>2m", .unused, .above, 120), ("hits<3", .hits, .below, 3), ("hits>=1", .hits, .atLeast, 1),
        ("w>1000", .width, .above, 1000), ("h<=20", .height, .atMost, 20), ("mpx>1.5", .megapixels, .above, 1.5),
        ("frames>1", .frames, .above, 1),
    ]

    @Test(arguments: ["format:png", "width>100", "foo:bar", "Size>2M"])
    func `an unknown fact is an error that names the known ones`(text: String) throws {
        let problem = try #require(throws: FilterProblem.self) { try Self.terms("boat " + text) }
        #expect(problem.column == 6 && problem.expected.contains("type: ") && problem.expected.contains("w>"))
    }

    @Test(arguments: [
        "http://a.org/x", "localhost:8080/a", "data:image/png", "12:30", "id=3", "\"foo:bar\"", "a:", "x>1 ",
    ])
    func `addresses, times and quoted texts are text terms`(text: String) throws {
        let terms = try Self.terms(text)
        #expect(terms.count == 1)
        guard case .text = terms.first else { return #expect(Bool(false), "\(terms)") }
    }

    @Test(arguments: facts) func `each fact is parsed as its term`(text: String, term: FilterTerm) throws {
        #expect(try Self.terms(text) == [term])
    }

    @Test(arguments: numbers)
    func `numeric terms are parsed with their comparison`(
        text: String, number: FilterTerm.Number, comparison: FilterTerm.Comparison, limit: Double
    ) throws {
        #expect(try Self.terms(text) == [.number(number, comparison, limit)])
    }

    @Test(
        arguments: [
            ("status:failed", .status("failed")), ("status:404", .code(404...404)), ("status:5xx", .code(500...599)),
            ("error:Timeout", .error("timeout")),
        ] as [(String, FilterTerm)])
    func `a term about the run is valid only in a report`(text: String, term: FilterTerm) throws {
        #expect(try Self.terms(text, in: .report) == [term])
        #expect(throws: FilterProblem.self) { try PictureFilter(text, in: .cache) }
    }

    @Test(
        arguments: [("camera:Fuji", .camera("fuji")), ("taken:2026-07", .taken("2026-07"))] as [(String, FilterTerm)])
    func `how a picture was taken means the same everywhere`(text: String, term: FilterTerm) throws {
        for scope in [FilterScope.cache, .report, .list] { #expect(try Self.terms(text, in: scope) == [term]) }
    }

    @Test(
        arguments: [
            ("9f86d081", true), ("9f86d081884c7d65", true), ("9f86d082", false), ("9f86d081884c7d66", false),
            ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", true),
        ])
    func `a digest matches by its beginning`(digits: String, isFound: Bool) throws {
        let picture = FilteredPicture(facts: PictureFacts(), digest: 0x9f86_d081_884c_7d65)
        let term = try #require(try Self.terms("sha256:" + digits, in: .report).first)
        #expect(picture.meets(term, RelatedPictures()) == isFound)
        #expect(FilteredPicture(facts: PictureFacts()).meets(term, RelatedPictures()) == false)
    }

    @Test(arguments: ["9f86d0", "picture", "9f86d081z"]) func `other texts are no digest`(text: String) {
        #expect(throws: FilterProblem.self) { try Self.terms("sha256:" + text, in: .report) }
    }

    @Test func `marks are known in the browser only`() throws {
        #expect(try Self.terms("marked", in: .list) == [.marked] && Self.terms("\"marked\"", in: .list) != [.marked])
        #expect(try Self.terms("marked") == [Self.text("marked")])
        let problem = try #require(throws: FilterProblem.self) { try Self.terms("marked:yes", in: .list) }
        #expect(problem.expected == "marked alone")
    }

    @Test(arguments: ["harbour", "state", "w", "duplicate", "https://example.org", "*", "a=b", "likely", "/"])
    func `other words are text terms`(word: String) throws {
        #expect(try Self.terms(word) == [Self.text(word)])
        #expect(TextPattern(word).form == .word)
    }

    @Test(arguments: [("/a/*.png", "/a/*.png"), ("*.PNG", "*.png"), ("/a", "/a"), ("/*.png/", "*.png")])
    func `a word with a star or a leading slash is a glob`(word: String, glob: String) throws {
        let pattern = TextPattern(word)
        #expect(pattern.form == .glob && pattern.text == glob)
    }

    @Test func `terms are separated by any number of blanks`() throws {
        #expect(try Self.terms("  host:a   b ") == [.host("a"), Self.text("b")])
        #expect(try PictureFilter("   ", in: .cache).isEmpty)
    }

    @Test(
        arguments: [
            ("\"sp *.png\"", ["sp *.png"]), ("a \"/my cats/*\" b", ["a", "/my cats/*", "b"]),
            ("\"sp ace.png\"", ["sp ace.png"]), ("\"sp *", ["sp *"]), ("\"\"", []), ("\"dup\"", ["dup"]),
            ("\"!a\"", ["!a"]), ("\"a|b\"", ["a|b"]),
        ])
    func `quotes make one text term of blanks and special characters`(text: String, patterns: [String]) throws {
        #expect(try Self.terms(text) == patterns.map(Self.text))
    }

    @Test func `a value may be quoted`() throws {
        #expect(try Self.terms("key:\"my cat\"") == [.key("my cat")])
    }

    @Test(
        arguments: [
            ("a b | c", [["a", "b"], ["c"]]), ("a|b", [["a"], ["b"]]), ("| a |", [["a"]]), ("a | | b", [["a"], ["b"]]),
            ("|", []),
        ])
    func `a bar separates alternatives, and empty ones are ignored`(text: String, expected: [[String]]) throws {
        let filter = try PictureFilter(text, in: .list)
        #expect(filter.alternatives.map { $0.map(\.term) } == expected.map { $0.map(Self.text) })
    }

    @Test func `a regular expression keeps its bars and quotes`() throws {
        let filter = try PictureFilter("!~a|\"b c", in: .list)
        #expect(filter.alternatives.count == 1 && filter.alternatives[0].map(\.isNegated) == [true, false])
        #expect(filter.terms == [.text(try #require(TextPattern(regex: "a|\"b"))), Self.text("c")])
    }

    @Test(
        arguments: [
            ("ab", ["ab", "abc"]), ("!ab", ["b", "bc"]), ("a b", ["ab", "abc"]), ("c | !b", ["abc", "bc"]),
            ("a !c", ["ab"]), ("", ["ab", "abc", "b", "bc"]), ("~^b", ["b", "bc"]), ("!~^b", ["ab", "abc"]),
            ("*c", ["abc", "bc"]), ("!", ["ab", "abc", "b", "bc"]),
        ])
    func `a predicate combines the predicates of the terms`(text: String, expected: [String]) throws {
        let accepts = try PictureFilter(text, in: .list).predicate { term -> @Sendable (String) -> Bool in
            guard case .text(let pattern) = term else { return { _ in false } }
            return { pattern.matches($0) }
        }
        #expect(["ab", "abc", "b", "bc"].filter(accepts) == expected)
    }

    @Test func `a blank before a unit is an error with a hint`() throws {
        #expect(throws: FilterProblem(term: "size>1 M", column: 3, expected: "size>1M, without a blank")) {
            try PictureFilter("a size>1 M", in: .cache)
        }
        #expect(try Self.terms("size>1M M") == [.number(.bytes, .above, 1_048_576), Self.text("M")])
    }

    @Test func `a size beyond Int.max is clamped`() throws {
        #expect(try FilterUnits.bytes("9000000000000000000G") == .max)
    }

    @Test(arguments: [
        "size>", "size>K", "size>-1", "size>1X", "size>1e9", "size>.", "age>", "age>5", "age>xh", "age>nand",
        "age>infd", "age>-1s", "hits<", "hits<x", "kind:other", "state:", "state:lost", "hits=1", "size=678", "host>a",
        "age:5d", "age", "size", "hits", "type:bogus", "key:", "size>1.5", "w>x", "ratio:16", "ratio:0:9", "like:16",
        "like:x", "alpha:maybe", "dup:1", "~(", "status:404", "camera:", "taken:", "taken:26", "taken:2026-7",
        "taken:2026-", "taken:july", "tag:cat",
    ])
    func `an invalid term is reported with its column`(text: String) {
        #expect { try PictureFilter("word !\(text)", in: .cache) } throws: { error in
            guard let problem = error as? FilterProblem else { return false }
            return problem.term == text && !problem.expected.isEmpty && problem.column == 6
        }
    }

    @Test(arguments: ImageFormat.allCases)
    func `every format is accepted by name, without spaces`(format: ImageFormat) throws {
        let name = format.rawValue.lowercased().replacing(" ", with: "")
        #expect(try Self.terms("type:\(name)") == [.format(format)])
    }

    @Test(
        arguments: [
            ("ve", ["verdict:"]), ("a !verdict:inc", ["a !verdict:incomplete"]), ("x|fr", ["x|frames<", "x|frames>"]),
            ("alpha:", ["alpha:no", "alpha:yes"]), ("color:r", ["color:RGB"]), ("zzz", []), ("hits", []), ("dup", []),
            ("mar", ["marked"]), ("a !cam", ["a !camera:"]),
        ])
    func `the last word is completed`(text: String, expected: [String]) {
        #expect(PictureFilter.completions(of: text, in: .list) == expected)
    }

    @Test func `every completion leads to a valid filter`() throws {
        for scope in [FilterScope.cache, .report, .list] {
            for form in PictureFilter.completions(of: "", in: scope) where !form.hasSuffix(":") {
                let value =
                    form.hasSuffix(">") || form.hasSuffix("<")
                    ? (form.hasPrefix("age") || form.hasPrefix("unused") ? "1d" : "1") : ""
                #expect(try PictureFilter(form + value, in: scope).terms.count == 1)
            }
            for field in PictureFilter.completions(of: "", in: scope) where field.hasSuffix(":") {
                for form in PictureFilter.completions(of: field, in: scope) {
                    #expect(try PictureFilter(form, in: scope).terms.count == 1)
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct RelatedPicturesTests {
    @Test func `repeated digests and near hashes are found`() throws {
        let filter = try PictureFilter("dup | like:2", in: .list)
        let digests: [UInt64] = [1, 2, 3, 2]
        let related = RelatedPictures(
            for: filter, repeatedDigests: { RelatedPictures.repeated(digests) },
            hashes: { [0, 0b11, 0xFF00, 0xFF, 0xFF] })
        #expect((1...3).map(related.hasSeveral) == [false, true, false])
        #expect([0, 0b11, 0xFF00, 0xFF].map { related.isNear($0, within: 2) } == [true, true, false, true])
        #expect(!related.isNear(0, within: 6))
    }
}
