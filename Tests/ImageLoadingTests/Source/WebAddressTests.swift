import AlcedoSupport
import Foundation
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct WebAddressTests {
    @Test(arguments: [
        ("https://host/a%20b.png?x=1#f", "https://host/a%20b.png?x=1#f"),
        ("https://host/a%2Fb[1].png", "https://host/a%2Fb%5B1%5D.png"),
        ("https://host/é%20x", "https://host/%C3%A9%20x"),
        ("https://host/a%20b|c.png", "https://host/a%20b%7Cc.png"),
        ("https://host/?q=%20&r=100%", "https://host/?q=%20&r=100%25"),
        ("https://host/a#b#c", "https://host/a#b%23c"),
        ("https://bücher.example/a%20b", "https://xn--bcher-kva.example/a%20b"),
        ("https://me:p%40@host:8080/[", "https://me:p%40@host:8080/%5B"),
        ("https://host/sp ace.png", "https://host/sp%20ace.png"), ("https://host/u/../x.jpg", "https://host/x.jpg"),
        ("https://host/u/%2e%2E/./x.jpg?y=/../z", "https://host/x.jpg?y=/../z"),
    ])
    func `invalid characters are encoded and escapes are kept`(text: String, url: String) {
        #expect(WebAddress.url(text)?.absoluteString == url)
    }

    @Test(arguments: [
        ("b%2Fc[1].png", "https://host/a/b%2Fc%5B1%5D.png"), ("//other/é%20x", "https://other/%C3%A9%20x"),
        ("/x?to=http://h/[", "https://host/x?to=http://h/%5B"), ("https://other/u/../x y", "https://other/x%20y"),
        ("../../u/../x", "https://host/x"), ("%2e%2e/x", "https://host/x"),
        ("sp ace.png", "https://host/a/sp%20ace.png"),
    ])
    func `a reference is resolved against its base`(text: String, url: String) throws {
        let base = try #require(URL(string: "https://host/a/z"))
        #expect(WebAddress.url(text, relativeTo: base)?.absoluteURL.absoluteString == url)
    }
}
