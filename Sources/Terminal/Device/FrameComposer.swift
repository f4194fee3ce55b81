import BrowserCore
import Raster

/// Puts one frame's parts into the order in which the terminal gets them.
///
/// Synchronized output begins; the text's changes; save the cursor; every picture after a move to its cell; restore the
/// cursor; what the pictures replaced goes; synchronized output ends; where it is wished for, a question whose answer says
/// that all of it was read. A cursor that is shown is hidden while it draws pictures.
enum FrameComposer {
    static func chunks(
        text: [UInt8], plan: PictureLedger.Plan, isSynchronized: Bool, asksStatus: Bool, showsCursor: Bool = false
    ) -> [OutputQueue.Chunk] {
        guard asksStatus || !text.isEmpty || !plan.removal.isEmpty || !plan.draw.isEmpty else { return [] }
        let begin = isSynchronized ? ControlSequence.beginUpdate.bytes : []
        let end = isSynchronized ? ControlSequence.endUpdate.bytes : []
        var chunks = [OutputQueue.Chunk(.text, begin + plan.removal + text)]
        chunks += pictures(plan, showsCursor: showsCursor)
        let question = asksStatus ? ControlSequence.askStatus.bytes : []
        chunks.append(OutputQueue.Chunk(.text, plan.replacedRemoval + end + question))
        return chunks
    }

    private static func pictures(_ plan: PictureLedger.Plan, showsCursor: Bool) -> [OutputQueue.Chunk] {
        guard !plan.draw.isEmpty else { return [] }
        let hide = showsCursor ? ControlSequence.hideCursor.bytes : []
        let show = showsCursor ? ControlSequence.showCursor.bytes : []
        var chunks = [OutputQueue.Chunk(.text, ControlSequence.saveCursor.bytes + hide + plan.clearing)]
        for picture in plan.draw {
            let origin = Position(column: picture.rect.column, row: picture.rect.row)
            chunks.append(OutputQueue.Chunk(.text, ControlSequence.move(to: origin).bytes))
            chunks.append(OutputQueue.Chunk(.image(picture.cut), picture.bytes))
        }
        chunks.append(OutputQueue.Chunk(.text, ControlSequence.restoreCursor.bytes + show))
        return chunks
    }
}
