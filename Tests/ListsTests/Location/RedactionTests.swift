import AlcedoSupport
import Foundation
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct RedactionTests {
    @Test(arguments: [
        ("http://user:pw@a.example:81/x", "http://a.example:81/x"),
        ("https://a/x?token=abc&w=10", "https://a/x?token=…&w=10"),
        (
            "https://a/x?url=https%3A%2F%2Fu%3Ap%40h%2Fy.png%3Fw%3D1%26token%3Dabc&n=1",
            "https://a/x?url=https%3A%2F%2Fh%2Fy%2Epng%3Fw%3D1%26token%3D…&n=1"
        ),
        (
            "https://a/x?r=https%3A%2F%2Fb%2Fc%3Fs%3D1%23code%3Dabc",
            "https://a/x?r=https%3A%2F%2Fb%2Fc%3Fs%3D1%23code%3D…"
        ),
        ("https://a/x?url=https://h/y?token=abc&n=1", "https://a/x?url=https://h/y?token=…&n=1"),
        ("https://a/x?url=https%3A%2F%2Fu%3Ap%40h%2Fcaf%E9", "https://a/x?url=https%3A%2F%2Fh%2Fcaf%EF%BF%BD"),
        ("https://a/fit/https%3A%2F%2Fu%3Ap%40h%2Fy/z", "https://a/fit/https%3A%2F%2Fh%2Fy/z"),
        ("https://a/x?to=http%3A%2F%2Fu:p@h%2Fy", "https://a/x?to=http%3A%2F%2Fh%2Fy"),
        (
            "https://a/x?u=https%3A%2F%2Fb%3Fv%3Dhttps%253A%252F%252Fu%253Ap%2540h",
            "https://a/x?u=https%3A%2F%2Fb%3Fv%3Dhttps%253A%252F%252Fh"
        ),
        (
            "https://a/x?url=https%3A%2F%2Fh%2Fy.png%3Fw%3D1&t=50%25",
            "https://a/x?url=https%3A%2F%2Fh%2Fy.png%3Fw%3D1&t=50%25"
        ),
        ("https://a/?X-Amz-Signature=1&X-Amz-Date=2", "https://a/?X-Amz-Signature=…&X-Amz-Date=2"),
        ("https://a/?X-Amz-Credential=1", "https://a/?X-Amz-Credential=…"),
        ("https://a/?PASSWORD=1&api_key=2&sig=3&key=4", "https://a/?PASSWORD=…&api_key=…&sig=…&key=…"),
        ("https://a/?%74oken=1", "https://a/?%74oken=…"), ("https://a/x;jsessionid=1", "https://a/x;jsessionid=…"),
        ("https://a/x?https://h/y?sig=1&w=2", "https://a/x?https://h/y?sig=…&w=2"),
        ("https://a/#access_token=1&n=2", "https://a/#access_token=…&n=2"),
        ("https://a/?token&x=&monkey=1", "https://a/?token&x=&monkey=1"), ("https://p@ss@a/", "https://a/"),
        ("https://a/x;token=1;v=2/y", "https://a/x;token=…;v=2/y"), ("http:/bob:pw@a/x", "http:/a/x"),
        ("https://a/?u=http://bob:p@ss@b/y&w=1", "https://a/?u=http://b/y&w=1"),
        ("//bob:pw@a/x.png", "//a/x.png"), ("https://a//b@2x.png", "https://a//b@2x.png"),
        ("https://a/b:c@2x.png", "https://a/b:c@2x.png"),
    ])
    func `secrets are hidden and the rest is unchanged`(location: String, shown: String) {
        #expect(Redaction.display(location) == shown)
    }

    @Test(arguments: [
        "auth_key", "subscription-key", "sign", "appkey", "md5", "tok", "secretkey", "sharedkey", "otp", "login",
        "SAMLResponse", "samlresponse", "ticket", "PHPSESSID", "jsessionid", "authCode", "Key-Pair-Id",
        "x-amz-signature",
        "access_token2", "xSecretValue", "my.session.id", "user_pass", "oauth_verifier", "code", "hdnts", "pass%77ord",
    ])
    func `the value of a secret-like name is hidden`(name: String) {
        #expect(Redaction.display("https://a/x?\(name)=abc&w=1") == "https://a/x?\(name)=…&w=1")
    }

    @Test(arguments: [
        "monkey", "design", "author", "keyword", "compass", "passage", "codec", "countrycode", "tokyo", "w", "format",
        "signal", "X-Amz-Date", "hotkey", "assign", "username", "id", "user_id", "url", "image", "expires",
    ])
    func `the value of another name is shown`(name: String) {
        let address = "https://a/x?\(name)=abc&w=1"
        #expect(Redaction.display(address) == address)
    }

    @Test(arguments: [
        "9f86d081884c7d659a2feaa0c55ad015", "3F2504E0-4F89-41D3-9A0C-0305E82C3301", "dGhpcyBpcyBhIHNlY3JldCB2YWx1ZQ==",
        "x7Kq2mPz9LbV4nRt6WcY", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N",
        "a3%2Fk9Zp0Lq7Xv2Bn8Rt4Yw6",
    ])
    func `a random-looking value is hidden under any name and stays distinguishable`(value: String) {
        let shown = Redaction.display("https://a/x?v=\(value)&w=1")
        #expect(shown.wholeMatch(of: /https:\/\/a\/x\?v=…[0-9a-f]{6}&w=1/) != nil, "\(shown)")
        #expect(shown != Redaction.display("https://a/x?v=\(value)A1&w=1"))
        #expect(!Redaction.display("https://a/x?\(value)").contains(value))
    }

    @Test(arguments: [
        "20231101123456789012", "summer-holiday-in-lisbon-2024", "w_1200_h_800_c_fill_q_80_x",
        "AVeryLongPictureNameOf2024",
        "a-picture-of-24-kingfishers-7", "abc1def2", "IMG_20240101_123456_HDR_final",
    ])
    func `names, numbers and short values are shown`(value: String) {
        let address = "https://a/x?v=\(value)&w=1"
        #expect(Redaction.display(address) == address)
        let file = "https://a/9f86d081884c7d659a2feaa0c55ad015/\(value).jpg?w=1"
        #expect(Redaction.display(file) == file)
    }

    @Test func `a long secret shows a digest, a short one nothing`() {
        let shown = ["aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaab"].map { Redaction.display("https://a/x?token=\($0)") }
        #expect(shown[0] != shown[1] && shown.allSatisfy { $0.count == "https://a/x?token=…123456".count })
        #expect(Redaction.display("https://a/x?token=aaaaaaaaaaaaaaa") == "https://a/x?token=…")
    }

    @Test func `paths are unchanged`() {
        #expect(Redaction.display("/home/a@b/x?token=1.png") == "/home/a@b/x?token=1.png")
    }

    @Test(arguments: [
        ("see http://bob:pw@a/x and ftp://c:d@e", "see http://a/x and ftp://e"), ("a@b: 1 // 2", "a@b: 1 // 2"),
        ("//@", "//@"), ("//:@", "//"), ("", ""),
    ])
    func `credentials are hidden in any text`(text: String, shown: String) {
        #expect(Redaction.text(text) == shown)
    }

    @Test func `a data URL shows its head and length`() {
        #expect(Redaction.display("data:image/png;base64,QUJD") == "data:image/png;base64,… (26 characters)")
    }

    @Test func `nested addresses are redacted to a limit`() {
        var address = "https://h/a?token=hush"
        for _ in 0..<40 {
            let value = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            address = value.utf8.count < 20_000 ? "https://h/a?u=" + value : address
        }
        let shown = Redaction.display(address)
        #expect(!shown.contains("hush") && shown.utf8.count <= address.utf8.count)
        #expect(Redaction.display("https://a/x?" + String(repeating: "://?", count: 10_900)).utf8.count < 70_000)
    }
}
