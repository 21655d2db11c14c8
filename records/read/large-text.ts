import { setImmediate } from 'node:timers/promises'
import { safeJson } from './wire.ts'

/** Characters of a response that is written in one piece. */
export const maxTextLength = 500_000

/** Characters of each piece of a larger response. */
const pieceLength = 250_000

/**
 * Yields the texts in pieces that are safe inside HTML. Other requests get a turn in between, as
 * copying and encoding megabytes takes a tenth of a second.
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

/** @returns where to cut without splitting a surrogate pair */
function wholeEnd(text: string, end: number): number {
  const before = text.charCodeAt(end - 1)
  return before >= 0xd800 && before < 0xdc00 ? end - 1 : end
}
