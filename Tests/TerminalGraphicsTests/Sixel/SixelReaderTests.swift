import Testing

/// That the decoder these tests rely on does refuse what they say it refuses.
@Suite(.timeLimit(.minutes(1))) struct SixelReaderTests {
    @Test(arguments: [
        ("\u{1B}Pq\"1;1;1;1#0;2;0;0;0@\u{1B}\\", SixelReader.Refusal.envelope),
        ("\u{1B}P0;1;0q#0;2;0;0;0@\u{1B}\\", .rasterAttributes),
        ("\u{1B}P0;1;0q\"1;1;1;1#0@\u{1B}\\", .undefinedRegister(0)),
        ("\u{1B}P0;1;0q\"1;1;1;1#0;2;0;0;101@\u{1B}\\", .colorSystem),
        ("\u{1B}P0;1;0q\"1;1;1;1#0;2;0;0;0@@\u{1B}\\", .outside(x: 1, y: 0)),
        ("\u{1B}P0;1;0q\"1;1;1;1#0;2;0;0;0A\u{1B}\\", .outside(x: 0, y: 1)),
        ("\u{1B}P0;1;0q\"1;1;2;1#0;2;0;0;0@\u{1B}\\", .unset),
        ("\u{1B}P0;1;0q\"1;1;1;1#0;2;0;0;0@ \u{1B}\\", .unexpected(32)),
        ("\u{1B}P0;1;0q\"1;1;1;1#0;2;0;0;0@-\u{1B}\\", .trailingLineFeed),
    ])
    func `malformed streams are refused`(stream: String, refusal: SixelReader.Refusal) {
        #expect(throws: refusal) { try SixelReader.decode(Array(stream.utf8)) }
    }
}
