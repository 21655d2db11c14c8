import { setImmediate } from 'node:timers/promises'
import { safeJson } from './wire.ts'

/** Characters of an answer that is written at once. */
export const maxTextLength = 500_000

/** Characters of a piece of a larger one. */
const pieceLength = 250_000

/**
 * The texts, one after the other, in pieces that are safe inside HTML. Other requests have their
 * turn between them: to copy and encode megabytes takes a tenth of a second.
 */
export async function* chunkText(texts: Iterable<string>): AsyncGenerator<string> {
  let piece = ''
  for (const text of texts) {
    piece += text
    while (piece.length >= pieceLength) {
      const end = wholeEnd(piece, pieceLength)
      yield safeJson(piece.slice(0, end))
      piece = piece.slice(end)
      await setImmediate()
    }
  }
  if (piece) yield safeJson(piece)
}

/** @returns where to cut so that no character outside the basic plane is cut in half */
function wholeEnd(text: string, end: number): number {
  const before = text.charCodeAt(end - 1)
  return before >= 0xd800 && before < 0xdc00 ? end - 1 : end
}
