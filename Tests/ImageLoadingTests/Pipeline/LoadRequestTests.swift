import Foundation
import Testing

@testable import ImageLoading

struct LoadRequestTests {
    @Test(arguments: [
        (Duration.zero, 0), (.milliseconds(1_500), 1_500), (.microseconds(1_999), 1), (.seconds(-2), -2_000),
        (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ])
    func aDurationIsSoManyWholeMillisecondsClamped(duration: Duration, milliseconds: Int) {
        #expect(duration.milliseconds == milliseconds)
    }

    @Test func keysTellApartWhatMustNotBeShared() throws {
        let source = Source.network(try #require(URL(string: "http://h/a")))
        func key(_ options: ImageOptions) -> PictureKey { LoadRequest(source: source, options: options).pictureKey }
        let keys = [key([]), key([.forceRefresh]), key([.onlyFromCache]), key([.processor(BlackWhiteProcessor())])]
        #expect(Set(keys).count == 4)
        #expect(key([.downloadPriority(1)]) == key([]))
    }
}
