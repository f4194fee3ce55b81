import Foundation
import TestSupport
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(1))) struct PictureFactsTests {
    /// Facts of which all are known.
    private static let whole: PictureFacts = {
        var facts = PictureFacts()
        (facts.format, facts.size, facts.frames) = (.jpegXL, PixelSize(width: 30, height: 20), 3)
        (facts.duration, facts.orientation, facts.hasAlpha) = (.milliseconds(1_250), 6, true)
        (facts.color, facts.verdict) = (ColorFacts(.cmyk, bits: 16, profile: "Coated, v2"), .incomplete)
        (facts.taken, facts.camera) = ("2026-07-14T18:20:07+02:00", "FUJIFILM X-T5")
        facts.perceptualHash = PerceptualHash(bits: 0xF0_0000_0000_0001)
        return facts
    }()

    @Test func `every fact is restored from its value`() {
        var copy = PictureFacts()
        for fact in PictureFact.all { fact.value(in: Self.whole).map { fact.setValue($0, in: &copy) } }
        #expect(copy == Self.whole)
    }

    @Test func `an unknown fact has no value and no text`() {
        for fact in PictureFact.all {
            #expect(fact.value(in: PictureFacts()) == nil)
            #expect(fact.details(in: PictureFacts()) == nil)
        }
    }

    @Test func `the time of capture is shown with spaces`() throws {
        let taken = try #require(PictureFact.all.first { $0.name == "taken" })
        #expect(taken.details(in: Self.whole) == .text("2026-07-14 18:20:07 +02:00"))
        var facts = PictureFacts()
        facts.taken = "2026-07-14T18:20:07"
        #expect(taken.details(in: facts) == .text("2026-07-14 18:20:07"))
    }

    @Test func `details have a verdict only of pictures that were checked`() throws {
        let verdict = try #require(PictureFact.all.first { $0.name == "verdict" })
        var facts = Self.whole
        #expect(verdict.details(in: facts) == .text("incomplete"))
        facts.verdict = .unchecked
        #expect(verdict.details(in: facts) == nil && verdict.value(in: facts) == .text("unchecked"))
    }

    @Test func `a value of the wrong kind is ignored`() {
        let values = [FactValue.text("?"), .flag(true), .number(.max)]
        for fact in PictureFact.all where ["format", "color", "verdict"].contains(fact.name) {
            for value in values {
                var facts = Self.whole
                fact.setValue(value, in: &facts)
                #expect(fact.value(in: facts) == nil)
            }
        }
    }

    @Test func `names and columns are unique`() {
        #expect(Set(PictureFact.all.map(\.name)).count == PictureFact.all.count)
        #expect(Set(PictureFact.all.map(\.column)).count == PictureFact.all.count)
    }

    @Test func `JSON contains the known facts under their names`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        #expect(
            try String(decoding: encoder.encode(Self.whole), as: UTF8.self) == """
                {"alpha":true,"camera":"FUJIFILM X-T5","color":{"bits":16,"model":"CMYK","profile":"Coated, v2"},"durationMs":1250,\
                "format":"JPEG XL","frames":3,"height":20,"orientation":6,"phash":"00f0000000000001","taken":"2026-07-14T18:20:07+02:00",\
                "verdict":"incomplete","width":30}
                """)
        #expect(try String(decoding: encoder.encode(PictureFacts()), as: UTF8.self) == "{}")
    }

    /// The documents that repeat the table for readers and for other programs.
    @Test func `the JSON schema and the Spark program contain every fact`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let schema =
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: root.appending(path: "docs/prefetch-events.schema.json"))) as? [String: Any]
        let item = (schema?["$defs"] as? [String: Any])?["item"] as? [String: Any]
        let properties = try #require(item?["properties"] as? [String: Any])
        let spark = try String(contentsOf: root.appending(path: "cluster/spark_prefetch.py"), encoding: .utf8)
        // The fields of the struct `FACTS`, each as `width=INT`.
        let start = try #require(spark.firstRange(of: "\nFACTS = struct(")).upperBound
        let end = try #require(spark[start...].firstRange(of: "\n\n\n")).lowerBound
        let fields = Set(
            spark[start..<end].split { !$0.isLetter && !$0.isNumber && $0 != "=" }.map { $0.prefix { $0 != "=" } })
        for fact in PictureFact.all {
            #expect(properties[fact.name] is [String: Any], "the schema lacks \(fact.name)")
            #expect(fields.contains(Substring(fact.name)), "the Spark program lacks \(fact.name)")
        }
    }
}
