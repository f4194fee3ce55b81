import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct DemoSiteTests {
    private let pictures = (0..<12).map { DemoPicture(name: "\($0).png", bytes: Array("picture \($0)".utf8)) }

    private func request(_ path: String, _ fields: DemoFields = [:], method: String = "GET") -> DemoRequest {
        DemoRequest(method: method, target: path, fields: fields)
    }

    @Test func `every picture is listed once and one address does not exist`() {
        let paths = DemoSite(pictures: pictures, rate: nil).paths
        #expect(paths.count == 13)
        #expect(Set(paths.compactMap { $0.split(separator: "/").last }).count == 13)
        #expect(paths.filter { $0.hasPrefix("/moved/") }.count == 1)
        #expect(paths.filter { $0.hasPrefix("/busy/") }.count == 1)
    }

    @Test func `a picture has a length, a type and an ETag`() {
        var site = DemoSite(pictures: pictures, rate: nil)
        let answer = site.response(to: request("/pictures/1.png?x=1"))
        #expect(answer.status == .ok)
        #expect(Array(answer.body) == Array("picture 1".utf8))
        #expect(answer.headers["Content-Length"] == ["9"])
        #expect(answer.headers["Content-Type"] == ["image/png"])
        #expect(answer.headers["ETag"].count == 1)
    }

    @Test func `a range is served only if its validator matches`() {
        var site = DemoSite(pictures: pictures, rate: nil)
        let asked: DemoFields = ["Range": "bytes=8-", "If-Range": pictures[1].validator]
        let same = site.response(to: request("/pictures/1.png", asked))
        #expect(same.status == .partialContent)
        #expect(same.headers["Content-Range"] == ["bytes 8-8/9"])
        #expect(Array(same.body) == Array("1".utf8))
        let other = site.response(to: request("/pictures/1.png", ["Range": "bytes=8-", "If-Range": "\"old\""]))
        #expect(other.status == .ok)
        #expect(site.response(to: request("/pictures/1.png", ["Range": "bytes=9-"])).status == .ok)
        #expect(site.response(to: request("/pictures/1.png", ["Range": "bytes=-1-"])).status == .ok)
    }

    @Test func `a moved address redirects to the picture`() {
        var site = DemoSite(pictures: pictures, rate: nil)
        let answer = site.response(to: request("/moved/3.png"))
        #expect(answer.status == .found)
        #expect(answer.headers["Location"] == ["/pictures/3.png"])
    }

    @Test func `a busy address returns 503 once and then succeeds`() {
        var site = DemoSite(pictures: pictures, rate: nil)
        let first = site.response(to: request("/busy/6.png"))
        #expect(first.status == .serviceUnavailable)
        #expect(first.headers["Retry-After"] == ["1"])
        #expect(site.response(to: request("/busy/6.png")).status == .ok)
        #expect(site.response(to: request("/busy/6.png")).status == .ok)
    }

    @Test(arguments: ["/", "/pictures", "/pictures/", "/pictures/none.png", "/pictures/../1.png", "/x/1.png", "", "//"])
    func `any other path is not found`(path: String) {
        var site = DemoSite(pictures: pictures, rate: nil)
        #expect(site.response(to: request(path)).status == .notFound)
    }

    @Test func `other methods are refused`() {
        var site = DemoSite(pictures: pictures, rate: nil)
        #expect(site.response(to: request("/pictures/1.png", method: "POST")).status == .methodNotAllowed)
    }

    @Test func `adjacent pictures have different rates`() {
        var site = DemoSite(pictures: pictures, rate: 100_000)
        let first = site.response(to: request("/pictures/0.png")).pacing
        let second = site.response(to: request("/pictures/1.png")).pacing
        #expect(first == Pacing(bytesPerSecond: 100_000))
        #expect(second == Pacing(bytesPerSecond: 45_000))
    }
}
