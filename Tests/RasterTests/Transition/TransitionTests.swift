import TestSupport
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(1))) struct TransitionTests {
    private static let all = Transition.allCases + [.custom { from, _, _ in from }]
    private let from = Pictures.noise(23, 17, seed: 1)
    private let to = Pictures.noise(23, 17, seed: 2)

    @Test func `each transition has a name of its own`() {
        #expect(Transition.allCases.map { Transition(rawValue: $0.rawValue) } == Transition.allCases)
        #expect(Set(Transition.allCases.map(\.rawValue)).count == 8 && Transition.flipFromLeft.rawValue == "flip-left")
        #expect(Transition(rawValue: "") == nil && Transition(rawValue: "Fade") == nil)
    }

    @Test(arguments: all.indices)
    func `progress 1 shows the next picture`(transition: Int) {
        for progress: Double in [1, 1.5, .infinity, .nan] {
            #expect(Self.all[transition].frame(from: from, to: to, progress: progress) == to)
        }
    }

    @Test(arguments: all.indices.dropFirst())
    func `progress 0 shows the old picture`(transition: Int) {
        for progress: Double in [0, -1, -Double.infinity] {
            #expect(Self.all[transition].frame(from: from, to: to, progress: progress) == from)
        }
    }

    @Test func `the transition none shows the next picture at once`() {
        #expect(Transition.none.frame(from: from, to: to, progress: 0) == to)
    }

    @Test(arguments: all.indices)
    func `every frame has the size of the next picture`(transition: Int) {
        let small = Pictures.noise(5, 40)
        for step in 0...16 {
            let frame = Self.all[transition].frame(from: small, to: to, progress: Double(step) / 16)
            #expect(frame.size == to.size)
        }
    }

    @Test(arguments: all.indices)
    func `an empty next picture stays empty`(transition: Int) {
        let empty = PixelBuffer(size: .zero, filledWith: .black)
        #expect(Self.all[transition].frame(from: from, to: empty, progress: 0.5) == empty)
    }

    @Test func `without an old picture the transition starts from the background`() {
        let frame = Transition.fade.frame(from: nil, to: to, progress: 0, background: .white)
        #expect(frame == PixelBuffer(size: to.size, filledWith: .white))
    }

    @Test func `an old picture of another size is centred`() {
        let dot = PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: .white)
        let frame = Transition.wipe.frame(from: dot, to: to, progress: 0)
        #expect(frame[11, 8] == .white)
        #expect(frame[10, 8] == .black)
    }

    @Test func `fade mixes both pictures equally in the middle`() {
        let size = PixelSize(width: 2, height: 2)
        let frame = Transition.fade.frame(
            from: PixelBuffer(size: size, filledWith: .black),
            to: PixelBuffer(size: size, filledWith: Color(red: 200, green: 100, blue: 50)), progress: 0.5)
        #expect(frame[1, 1] == Color(red: 100, green: 50, blue: 25))
    }

    @Test func `fade from transparency does not darken the colour`() {
        let size = PixelSize(width: 1, height: 1)
        let frame = Transition.fade.frame(
            from: PixelBuffer(size: size, filledWith: Color(red: 9, green: 9, blue: 9, alpha: 0)),
            to: PixelBuffer(size: size, filledWith: Color(red: 200, green: 100, blue: 50)), progress: 0.5)
        #expect(frame[0, 0] == Color(red: 200, green: 100, blue: 50, alpha: 128))
    }

    @Test func `wipe reveals from the left`() {
        let frame = Transition.wipe.frame(from: from, to: to, progress: 10.0 / 23)
        for y in 0..<17 {
            #expect(frame[9, y] == to[9, y])
            #expect(frame[10, y] == from[10, y])
        }
    }

    @Test func `dissolve never hides a revealed square`() {
        let size = PixelSize(width: 200, height: 200)
        let (black, white) = (PixelBuffer(size: size, filledWith: .black), PixelBuffer(size: size, filledWith: .white))
        var last = black
        for step in 1...10 {
            let frame = Transition.dissolve.frame(from: black, to: white, progress: Double(step) / 10)
            #expect(zip(last.bytes, frame.bytes).allSatisfy { $0 <= $1 })
            last = frame
        }
    }

    @Test func `the revealed share of dissolve equals the progress`() {
        let size = PixelSize(width: 400, height: 400)
        let (black, white) = (PixelBuffer(size: size, filledWith: .black), PixelBuffer(size: size, filledWith: .white))
        let frame = Transition.dissolve.frame(from: black, to: white, progress: 0.25)
        let share = Double(stride(from: 0, to: frame.bytes.count, by: 4).count { frame.bytes[$0] == 255 }) / 160_000
        #expect(abs(share - 0.25) < 0.02)
    }

    @Test func `a custom frame of another size is centred`() {
        let custom = Transition.custom { _, _, _ in
            PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: .white)
        }
        let frame = custom.frame(from: from, to: to, progress: 0.5)
        #expect(frame.size == to.size)
        #expect(frame[11, 8] == .white)
    }
}
