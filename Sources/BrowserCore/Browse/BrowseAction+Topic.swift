/// A heading of the help.
enum HelpTopic: String, Sendable, CaseIterable {
    case tasks, move, view, picture, marks, transfers, program

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension BrowseAction {
    /// The heading that the help lists it under; the cases of the enum stand in the order of the headings.
    var topic: HelpTopic {
        switch self {
        case .down, .up, .top, .bottom, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .nextMatch, .previousMatch:
            .move
        case .fullScreen, .grid, .slideshow, .switchPane, .info, .filter, .clearFilter, .sort, .names: .view
        case .zoomIn, .zoomOut, .zoomFit, .zoomActual, .panLeft, .panRight, .pauseAnimation, .previousFrame,
            .nextFrame, .process, .transition, .copyURL, .openExternally:
            .picture
        case .mark, .markRange, .markAll, .unmarkAll, .export, .removeFromCache: .marks
        case .tasks, .reload, .retryFailed, .cancel, .pausePrefetch, .lowData: .transfers
        case .command, .help, .cache, .reloadConfiguration, .redraw, .suspend, .quit: .program
        }
    }
}

extension BrowseState {
    /// Whether an action can do something on the screen as it is; the help dims the others.
    func canPerform(_ action: BrowseAction) -> Bool {
        switch action {
        case .top, .bottom, .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .fullScreen, .grid,
            .slideshow, .mark, .markRange, .markAll, .copyURL, .openExternally, .export, .removeFromCache, .reload:
            list.count > 0
        case .nextMatch, .previousMatch: !lastFilter.isEmpty
        case .switchPane: !layout.isWide && !showsGrid
        case .clearFilter: list.isFiltered || rangeStart != nil || !zoom.isFit || isFullScreen || isGrid || showsInfo
        case .zoomIn, .zoomActual: slot.picture != nil
        case .zoomOut, .zoomFit: !zoom.isFit
        case .panLeft, .panRight: showsGrid || !zoom.isFit
        case .pauseAnimation: slot.picture?.frameInterval != nil
        case .previousFrame, .nextFrame: slot.picture?.frameDelay != nil
        case .transition: options.transitions.count > 1 && !options.reducesMotion
        case .unmarkAll: !list.marks.isEmpty || rangeStart != nil
        case .retryFailed: statuses.count(of: .failed) > 0
        case .cancel: selected.map(canCancel) ?? false
        case .pausePrefetch: options.prefetches
        case .filter, .info, .sort, .names, .process, .tasks, .lowData, .command, .help, .cache, .reloadConfiguration,
            .redraw, .suspend, .quit:
            true
        }
    }

    func canPerform(_ entry: Palette.Entry) -> Bool {
        switch entry {
        case .browser(let action): canPerform(action)
        case .task(let action): canPerform(action)
        }
    }

    private func canPerform(_ action: TaskAction) -> Bool {
        switch action {
        case .down, .up, .top, .bottom, .show, .prioritize, .postpone, .cancel, .retry:
            !tasks.isEmpty || !hostBoard.hosts.isEmpty
        case .retryFailed: statuses.count(of: .failed) > 0
        case .pausePrefetch: options.prefetches
        case .help, .close: true
        }
    }
}
