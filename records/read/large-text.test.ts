import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkText } from './large-text.ts'
import { safeJson } from './wire.ts'

test('a text in pieces is the same text, and no piece splits a character', async () => {
  const unit = fc.constantFrom('a', 'é', '📚', '<', '"')
  // Long enough for several pieces, with boundaries at every position within a character.
  const long = fc
    .tuple(fc.string({ unit, minLength: 1, maxLength: 7 }), fc.nat(9))
    .map(([text, n]) => 'x'.repeat(n) + text.repeat(100_000))
  await fc.assert(
    fc.asyncProperty(fc.array(long, { maxLength: 3 }), async (texts) => {
      const pieces = await Array.fromAsync(chunkText(texts))
      expect(pieces.join('') === safeJson(texts.join(''))).toBe(true)
      expect(pieces.every((piece) => piece.isWellFormed() && piece.length < 2_000_000)).toBe(true)
    }),
    { numRuns: 15 },
  )
})
