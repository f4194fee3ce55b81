import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct MarkupTagTests {
    private func attributes(_ tag: String) -> [String: String] { MarkupTag(Array(tag.utf8)[...]).attributes() }

    @Test func `attributes are read with any quotes`() {
        let found = attributes("IMG SRC = \"a b\"alt='x>y'\n width=7 lazy data-x=/u/v/ ")
        #expect(found == ["src": "a b", "alt": "x>y", "width": "7", "lazy": "", "data-x": "/u/v/"])
    }

    @Test func `the first of equal attributes is used`() {
        #expect(attributes("a href=1 HREF=2") == ["href": "1"])
    }

    @Test func `malformed attributes are bounded`() {
        #expect(attributes("a =\"' = / == '").count < 6)
        #expect(attributes("a href='x") == ["href": "x"])
    }

    @Test func `tag names may have prefixes and slashes`() {
        let tag = MarkupTag(Array("image:Loc/".utf8)[...])
        #expect(tag.name == "image:loc")
        #expect(tag.localName == "loc")
        #expect(tag.isSelfClosing)
    }
}
