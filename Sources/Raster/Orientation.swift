/// The turn that makes a stored picture upright: left and right change places or not, then it turns by quarters.
///
/// The raw values are the numbers of EXIF data. Source: Exif 2.32, section 4.6.4, tag 274.
package enum Orientation: UInt16, Sendable, Hashable, CaseIterable {
    case upright = 1, mirrored, turnedHalf, flipped, transposed, turnedRight, transversed, turnedLeft
}
