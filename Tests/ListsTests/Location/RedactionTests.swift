import Testing

@testable import Lists

@Suite struct RedactionTests {
    @Test(arguments: [
        ("http://user:pw@a.example:81/x", "http://a.example:81/x"),
        ("https://a/x?token=abc&w=10", "https://a/x?token=…&w=10"),
        ("https://a/?X-Amz-Signature=1&X-Amz-Date=2", "https://a/?X-Amz-Signature=…&X-Amz-Date=2"),
        ("https://a/?X-Amz-Credential=1", "https://a/?X-Amz-Credential=…"),
        ("https://a/?PASSWORD=1&api_key=2&sig=3&key=4", "https://a/?PASSWORD=…&api_key=…&sig=…&key=…"),
        ("https://a/?%74oken=1", "https://a/?%74oken=…"),
        ("https://a/#access_token=1&n=2", "https://a/#access_token=…&n=2"),
        ("https://a/?token&x=&monkey=1", "https://a/?token&x=&monkey=1"), ("https://p@ss@a/", "https://a/"),
    ])
    func hidesSecretsAndNothingElse(location: String, shown: String) {
        #expect(Redaction.display(location) == shown)
    }

    @Test func pathsStayAsTheyAre() {
        #expect(Redaction.display("/home/a@b/x?token=1.png") == "/home/a@b/x?token=1.png")
    }

    @Test func dataURLsShowTheirHeadAndLength() {
        #expect(Redaction.display("data:image/png;base64,QUJD") == "data:image/png;base64,… (26 characters)")
    }
}
