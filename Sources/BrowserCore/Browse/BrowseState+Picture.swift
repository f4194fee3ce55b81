import Raster

extension BrowseState {
    /// How long full screen keeps its line after a key.
    private static let fullScreenLine = 2000

    private var pictureBox: PixelSize { cell.pixels(of: layout.picture) }

    /// Shows the line of full screen for two seconds more.
    mutating func showFullScreenLine() { fullScreenLineEnd = now + BrowseState.fullScreenLine }

    mutating func setFullScreen(_ isOn: Bool) {
        isFullScreen = isOn
        if isOn { showFullScreenLine() } else { slideEnd = nil }
    }

    /// Full screen, one picture after the other; each stands for a time once it is there.
    mutating func toggleSlideshow() {
        guard slideEnd == nil else {
            setFullScreen(false)
            return showNotice("slideshow ended")
        }
        setFullScreen(true)
        slideEnd = now + options.slideTime
        let rows = viewport.cursor..<list.count
        let failed = rows.count { statuses.kind(of: list.index(at: $0)) == .failed }
        let pictures = rows.count - failed
        let note = failed > 0 ? " (\(Units.count(failed)) failed)" : ""
        let count = "\(Units.count(pictures)) \(pictures == 1 ? "picture" : "pictures")\(note)"
        showNotice("slideshow of \(count): \(Units.duration(seconds: options.slideTime / 1000)) each")
    }

    /// Goes on when the picture has stood long enough, or has failed; ends with the list.
    mutating func advanceSlideshow() {
        guard let end = slideEnd else { return }
        guard slot.picture != nil || slot.hasFailed else {
            slideEnd = now + options.slideTime
            return
        }
        // A failure has no more to show than its reason.
        guard now >= (slot.hasFailed ? end - options.slideTime + min(1000, options.slideTime) : end) else { return }
        guard viewport.cursor + 1 < list.count else { return toggleSlideshow() }
        go(by: 1)
        slideEnd = now + options.slideTime
    }

    mutating func zoom(_ action: BrowseAction) {
        guard let picture = slot.picture else { return showNotice("no picture to zoom into") }
        switch action {
        case .zoomIn: zoom.change(by: 1, picture, in: pictureBox)
        case .zoomOut: zoom.change(by: -1, picture, in: pictureBox)
        case .zoomActual: zoom.showActual(picture, in: pictureBox)
        default: zoom = .fit
        }
    }

    /// How large a pixel of the original is on the screen, such as `zoom 200 %`; nil for a picture that fits.
    var zoomText: String? {
        guard !zoom.isFit, let picture = slot.picture, picture.originalSize.width > 0 else { return nil }
        return "zoom \(PictureText.percent(zoom.scale(of: picture)))"
    }

    /// Moves in a picture that is zoomed into.
    mutating func pan(_ action: BrowseAction) {
        let part = 0.25
        switch action {
        case .panLeft: zoom.pan(-part, 0, in: pictureBox)
        case .panRight: zoom.pan(part, 0, in: pictureBox)
        case .up: zoom.pan(0, -part, in: pictureBox)
        default: zoom.pan(0, part, in: pictureBox)
        }
    }

    /// Stops what moves, or lets it go on: all of the list, so that it holds for the next ones too.
    mutating func pauseMotion() {
        isMotionPaused.toggle()
        guard slot.picture?.frameInterval == nil else { return }
        showNotice(isMotionPaused ? "animations paused" : "animations playing")
    }

    /// Stops what moves, and shows the frame beside the one on show.
    mutating func stepFrame(_ direction: Int) {
        guard let delay = slot.picture?.frameDelay else { return showNotice("this picture is not animated") }
        isMotionPaused = true
        slot.setPaused(true, at: now)
        slot.play(by: direction * delay, at: now)
    }

    /// Passes pictures through another chain.
    mutating func setProcessor(_ chain: String) -> [BrowseEffect] {
        guard chain != options.processor else { return [] }
        options.processor = chain
        zoom = .fit
        return [.setProcessor(chain)] + showAgain()
    }
}
