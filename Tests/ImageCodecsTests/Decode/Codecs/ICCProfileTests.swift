import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ICCProfileTests {
    private func isSRGB(_ profile: [UInt8]) -> Bool { profile.withUnsafeBytes { ICCProfile($0).isSRGB } }

    @Test func `an sRGB profile is recognized by its values`() { #expect(isSRGB(ColorProfile.sRGB)) }

    @Test func `profiles with other primaries or curves are not sRGB`() {
        #expect(!isSRGB(ColorProfile.swappedPrimaries))
        let (red, green, blue) = ([0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141])
        #expect(!isSRGB(ColorProfile.profile(red: red, green: green, blue: blue, curve: ColorProfile.power)))
        let displayP3 = ColorProfile.profile(
            red: [0.51512, 0.24120, -0.00105], green: [0.29198, 0.69225, 0.04189], blue: [0.15710, 0.06657, 0.78407],
            curve: ColorProfile.standard)
        #expect(!isSRGB(displayP3))
    }

    @Test func `a truncated profile is not sRGB`() {
        let profile = ColorProfile.sRGB
        for count in 0..<profile.count { #expect(!isSRGB(Array(profile.prefix(count)))) }
    }
}
