import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from './docs.ts'
import { isUnspacedToken, separator } from './fold.ts'
import { eachRow } from './rows.ts'
import { deletionKeys } from './spelling.ts'

/** So many words are counted in memory before they are taken away. */
const mostInMemory = 200_000

/** In how many works a word stands, and how well read those are whose title or author it is. */
interface Count {
  works: number
  weight: number
  /** The work it was last seen in. */
  turn: number
}

/** A word, in how many works it stands, and how well read those are that are named by it. */
export type CountedWord = [word: string, works: number, weight: number]

/** Counts the words of a catalogue of any size: what is counted is taken away now and then. */
export interface WordCounter {
  /** Each word of the work once; those of its names may be offered as corrections. */
  count(work: FoldedWork): void
  /** What was counted since the last time; nothing while it is little, unless all is wanted. */
  take(all: boolean): CountedWord[]
}

export function wordCounter(): WordCounter {
  let words = new Map<string, Count>()
  let turn = 0
  const countText = (text: string, weight: number) => {
    for (const word of text.split(' ')) {
      const entry = words.get(word)
      if (entry === undefined) words.set(word, { works: 1, weight, turn })
      else if (entry.turn !== turn) {
        entry.works += 1
        entry.weight += weight
        entry.turn = turn
      }
    }
  }
  return {
    count(work) {
      turn += 1
      const weight = 1 + work.readers
      // Names first: a word that stands in one has its weight, whatever else it stands in.
      for (const text of [work.title, work.alt, work.author]) countText(text, weight)
      countText(work.subject, 0)
    },
    take(all) {
      if (!all && words.size < mostInMemory) return []
      for (const none of ['', separator]) words.delete(none)
      const taken = [...words].map(([word, { works, weight }]): CountedWord => [
        word,
        works,
        weight,
      ])
      words = new Map()
      return taken
    },
  }
}

/** The vocabulary of a draft, as it is counted piece by piece. */
export interface Vocabulary {
  add(words: CountedWord[]): void
  /** Writes the vocabulary and, for words of letters, the keys that find them despite a typo. */
  write(): void
}

/** @param db a draft of the index, inside a transaction */
export function vocabulary(db: DatabaseSync): Vocabulary {
  db.exec('CREATE TEMP TABLE counted (term TEXT NOT NULL, works INTEGER, weight REAL)')
  const put = db.prepare('INSERT INTO counted VALUES (?, ?, ?)')
  return {
    add(words) {
      for (const [word, works, weight] of words) put.run(word, works, weight)
    },
    write() {
      db.exec(`INSERT INTO term (term, df, weight)
          SELECT term, sum(works), sum(weight) FROM counted GROUP BY term ORDER BY term;
        DROP TABLE counted;
        CREATE TEMP TABLE deleted (h INTEGER, id INTEGER)`)
      const addKey = db.prepare('INSERT INTO deleted VALUES (?, ?)')
      for (const [id, term] of eachRow(db, 'SELECT id, term FROM term WHERE weight > 0'))
        if (mayBeMistyped(String(term)))
          for (const key of deletionKeys(String(term))) addKey.run(key, Number(id))
      db.exec(`INSERT OR IGNORE INTO del SELECT h, id FROM deleted ORDER BY h, id;
        DROP TABLE deleted`)
    },
  }
}

/** @returns the words of a work: those of its names, and those with its subjects */
export function wordsOf(work: FoldedWork): { named: Set<string>; all: Set<string> } {
  const named = new Set<string>()
  for (const text of [work.title, work.alt, work.author])
    for (const word of text.split(' ')) named.add(word)
  const all = new Set(named)
  for (const word of work.subject.split(' ')) all.add(word)
  for (const none of ['', separator]) {
    named.delete(none)
    all.delete(none)
  }
  return { named, all }
}

/** @returns whether a word of the vocabulary is offered as the correction of another */
export function mayBeMistyped(word: string): boolean {
  return !/\d/.test(word) && !isUnspacedToken(word)
}
