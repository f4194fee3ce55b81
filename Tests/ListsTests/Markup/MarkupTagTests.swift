import Testing

@testable import Lists

@Suite struct MarkupTagTests {
    private func attributes(_ tag: String) -> [String: String] { MarkupTag(Array(tag.utf8)[...]).attributes() }

    @Test func attributesAreReadHoweverTheyAreQuoted() {
        let found = attributes("IMG SRC = \"a b\"alt='x>y'\n width=7 lazy data-x=/u/v/ ")
        #expect(found == ["src": "a b", "alt": "x>y", "width": "7", "lazy": "", "data-x": "/u/v/"])
    }

    @Test func firstOfEqualNamesCounts() {
        #expect(attributes("a href=1 HREF=2") == ["href": "1"])
    }

    @Test func rubbishEnds() {
        #expect(attributes("a =\"' = / == '").count < 6)
        #expect(attributes("a href='x") == ["href": "x"])
    }

    @Test func namesMayHavePrefixesAndSlashes() {
        let tag = MarkupTag(Array("image:Loc/".utf8)[...])
        #expect(tag.name == "image:loc")
        #expect(tag.localName == "loc")
        #expect(tag.isSelfClosing)
    }
}
