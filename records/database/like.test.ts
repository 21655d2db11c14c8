import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { isLike } from './like.ts'

function unhurried() {}

function openLike(): (text: string, pattern: string) => boolean {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  const asked = db.prepare(`SELECT ? LIKE ? ESCAPE '\\' AS found`)
  return (text, pattern) => asked.get(text, pattern)?.['found'] === 1
}

test('matches like SQLite', () => {
  const like = openLike()
  const few = (units: readonly string[]) =>
    fc.array(fc.constantFrom(...units), { maxLength: 12 }).map((chars) => chars.join(''))
  const text = few(['a', 'b', 'A', 'é', '😀', '%', '_', '\\', 'É', '[', 'z', 'Z', '@'])
  const pattern = few(['a', 'b', 'B', '%', '%', '_', '\\', '😀', 'é', '[', 'z', '@'])
  fc.assert(
    fc.property(text, pattern, (subject, wanted) => {
      expect(isLike(subject, wanted, unhurried)).toBe(like(subject, wanted))
      const within = `%${[...subject]
        .slice(1, 3)
        .join('')
        .replace(/[\\%_]/g, '\\$&')}%`
      expect(isLike(subject, within, unhurried)).toBe(like(subject, within))
    }),
    { numRuns: 3000 },
  )
})

test('can be aborted, however long it would take', () => {
  let looks = 0
  const look = () => {
    if (++looks === 3) throw new Error('enough')
  }
  const wanted = `%${'a'.repeat(3000)}b%`
  expect(() => isLike('a'.repeat(1_000_000), wanted, look)).toThrow('enough')
})
