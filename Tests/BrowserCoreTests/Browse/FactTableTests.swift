import AlcedoScreen
import Raster
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1))) struct FactTableTests {
    private func seen(_ format: String, _ damage: String = "", width: Int = 40) -> ShownPicture {
        var facts = ShownPicture(
            picture: PictureID(1), size: PixelSize(width: 10, height: 10),
            originalSize: PixelSize(width: width, height: 40), format: format, bytes: 100, frames: 1, origin: .file,
            milliseconds: 1, processor: "")
        facts.damage = damage
        return facts
    }

    @Test func `a damaged picture keeps its facts and gets a verdict`() {
        var table = FactTable()
        var facts = ItemFacts()
        (facts.format, facts.size, facts.digest) = (.gif, PixelSize(width: 40, height: 40), 7)
        table.record(facts, of: ItemID(0))
        table.record(seen("GIF", "corrupt"), of: ItemID(0))
        #expect(table[0].format == .gif && table[0].digest == 7 && table[0].verdict == .corrupt)
    }

    @Test func `another picture of the same item replaces the old facts`() {
        var table = FactTable()
        table.record(seen("GIF", "incomplete"), of: ItemID(0))
        table.record(seen("JPEG", width: 80), of: ItemID(0))
        #expect(table[0].format == .jpeg && table[0].verdict == nil)
    }

    @Test func `a missing end mark gives no verdict`() {
        var table = FactTable()
        table.record(seen("GIF", "without end mark"), of: ItemID(0))
        #expect(table[0].format == .gif && table[0].verdict == nil)
    }
}
