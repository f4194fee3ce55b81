import AlcedoLists
import Testing

@Suite(.timeLimit(.minutes(1))) struct LocationNamesTests {
    @Test(arguments: [
        ("https://host/a/b.jpg?x=/y#/z", "b.jpg", "host"), ("https://me:hush@host:81/a%20b.png", "a b.png", "host"),
        ("https://host/album/", "album", "host"), ("https://host", "host", "host"), ("https://host/", "host", "host"),
        ("https://[::1]:8/x", "x", "[::1]"), ("https://me:hush@/", "https", ""), ("https://host/%zz", "%zz", "host"),
        ("/folder/sub/p.gif", "p.gif", "/folder/sub/"), ("p.gif", "p.gif", ""), ("/", "/", ""),
        ("file:///folder/p.gif", "p.gif", "/folder/"), ("data:image/png;base64,iVBOR/w0KGgo=", "image/png", "data"),
        ("https://host/größe.jpg", "größe.jpg", "host"), ("", "", ""),
    ])
    func `a location is split into name and place`(_ location: String, name: String, place: String) {
        let names = LocationNames(location)
        #expect(names.name == name && names.place == place, "\(names)")
    }
}
