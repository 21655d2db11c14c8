import type { DatabaseSync } from 'node:sqlite'
import { isUnspacedToken, separator } from './fold.ts'
import { deletionKeys } from './spelling.ts'

/** Word -> in how many works it stands, and how well read those are whose title or author it is. */
export type Vocabulary = Map<string, { works: number; weight: number }>

/**
 * Counts the words of one work, each once.
 *
 * @param words the counts so far, added to
 * @param readers of the work
 * @param names indexed texts whose words may be offered as corrections
 * @param others indexed texts whose words only count
 */
export function countWords(
  words: Vocabulary,
  readers: number,
  names: string[],
  others: string[],
): void {
  const named = wordsOf(names)
  for (const word of new Set([...named, ...wordsOf(others)])) {
    const entry = words.get(word) ?? { works: 0, weight: 0 }
    entry.works += 1
    if (named.has(word)) entry.weight += 1 + readers
    words.set(word, entry)
  }
}

function wordsOf(texts: string[]): Set<string> {
  const words = new Set(texts.join(' ').split(' '))
  words.delete('')
  words.delete(separator)
  return words
}

/** Writes the vocabulary and, for words of letters, the keys that find them despite a typo. */
export function addTerms(db: DatabaseSync, words: Vocabulary): void {
  const addTerm = db.prepare('INSERT INTO term (id, term, df, weight) VALUES (?, ?, ?, ?)')
  const addKey = db.prepare('INSERT OR IGNORE INTO del (h, id) VALUES (?, ?)')
  let id = 0
  for (const [word, { works, weight }] of words) {
    id += 1
    addTerm.run(id, word, works, weight)
    if (weight === 0 || /\d/.test(word) || isUnspacedToken(word)) continue
    for (const key of deletionKeys(word)) addKey.run(key, id)
  }
}
