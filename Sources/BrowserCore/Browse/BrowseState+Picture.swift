import Raster

extension BrowseState {
    /// How long full screen shows its line after a key.
    private static let fullScreenLine = 2000

    /// The area of one picture in pixels: half of the screen if two lie side by side.
    var pictureBox: PixelSize {
        var area = layout.picture
        if comparison?.view == .beside { area.columns = BrowseLayout.halves(of: area.columns).left }
        return cell.pixels(of: area)
    }

    /// The shown picture in the size in which all of it fits its area.
    private var fittingPicture: PictureFacts? {
        guard var picture = slot.picture else { return nil }
        if comparison != nil { picture.size = picture.originalSize.scaled(to: pictureBox) }
        return picture
    }

    /// Shows the line of full screen for two seconds.
    mutating func showFullScreenLine() { fullScreenLineEnd = now + BrowseState.fullScreenLine }

    mutating func setFullScreen(_ isOn: Bool) {
        isFullScreen = isOn
        if isOn { showFullScreenLine() } else { slideEnd = nil }
    }

    /// Starts or ends a slideshow, which shows each picture for a time after it has loaded.
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

    /// Shows the next picture if the current one's time is over or it failed; ends after the last one.
    mutating func advanceSlideshow() {
        guard let end = slideEnd else { return }
        guard slot.picture != nil || slot.hasFailed else {
            slideEnd = now + options.slideTime
            return
        }
        // A failure is shown for one second only.
        guard now >= (slot.hasFailed ? end - options.slideTime + min(1000, options.slideTime) : end) else { return }
        guard viewport.cursor + 1 < list.count else { return toggleSlideshow() }
        go(by: 1)
        slideEnd = now + options.slideTime
    }

    mutating func zoom(_ action: BrowseAction) {
        guard let picture = fittingPicture else { return showNotice("no picture to zoom into") }
        switch action {
        case .zoomIn: zoom.change(by: 1, picture, in: pictureBox)
        case .zoomOut: zoom.change(by: -1, picture, in: pictureBox)
        case .zoomActual: zoom.showActual(picture, in: pictureBox)
        default: zoom = .fit
        }
    }

    /// The size of an original pixel on the screen, such as `zoom 200 %`; nil if the picture fits.
    var zoomText: String? {
        guard !zoom.isFit, let picture = fittingPicture, picture.originalSize.width > 0 else { return nil }
        return "zoom \(PictureText.percent(zoom.scale(of: picture)))"
    }

    /// Moves the visible part of a zoomed picture.
    mutating func pan(_ action: BrowseAction) {
        let part = 0.25
        switch action {
        case .panLeft: zoom.pan(-part, 0, in: pictureBox)
        case .panRight: zoom.pan(part, 0, in: pictureBox)
        case .up: zoom.pan(0, -part, in: pictureBox)
        default: zoom.pan(0, part, in: pictureBox)
        }
    }

    /// Pauses or resumes the animations of all pictures.
    mutating func pauseMotion() {
        isMotionPaused.toggle()
        guard slot.picture?.frameInterval == nil else { return }
        showNotice(isMotionPaused ? "animations paused" : "animations playing")
    }

    /// Pauses the animation and shows the next or previous frame.
    mutating func stepFrame(_ direction: Int) {
        guard let delay = slot.picture?.frameDelay else { return showNotice("this picture is not animated") }
        isMotionPaused = true
        slot.setPaused(true, at: now)
        slot.play(by: direction * delay, at: now)
    }

    /// Processes pictures with another chain.
    mutating func setProcessor(_ chain: String) -> [BrowseEffect] {
        guard chain != options.processor else { return [] }
        options.processor = chain
        zoom = .fit
        return [.setProcessor(chain)] + showAgain()
    }
}
