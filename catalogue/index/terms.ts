import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from './docs.ts'
import { isUnspacedToken, separator } from './fold.ts'
import { eachRow } from './rows.ts'
import { deletionKeys, soundKey } from './spelling.ts'
import { hash } from './words.ts'

/** So many words are counted in memory before they are taken away. */
const mostInMemory = 200_000
/** So many subjects are kept with what counts their words. */
const mostPhrases = 50_000
const between = ` ${separator} `

/** In how many works a word stands, and how well read those are whose title or author it is. */
interface Count {
  works: number
  weight: number
  /** The work it was last seen in. */
  turn: number
}

/** A word, in how many works it stands, and how well read those are that are named by it. */
export type Term = [word: string, works: number, weight: number]

/** Pairs, one behind the other: the hash of a key, and the place of its word among all, from 1. */
export type TermKeys = Float64Array

/** Counts the words of a catalogue of any size: what is counted is taken away now and then. */
export interface WordCounter {
  /** Each word of the work once; those of its names may be offered as corrections. */
  count(work: FoldedWork): void
  /** What was counted since the last time; nothing while it is little, unless all is wanted. */
  take(all: boolean): Term[]
}

export function wordCounter(): WordCounter {
  let words = new Map<string, Count>()
  // Subjects are shared by many works; what counts their words is looked up once.
  const phrases = new Map<string, Count[]>()
  let turn = 0
  const counts = (text: string): Count[] =>
    text.split(' ').map((word) => {
      const known = words.get(word)
      if (known !== undefined) return known
      const made = { works: 0, weight: 0, turn: 0 }
      words.set(word, made)
      return made
    })
  const countAll = (counts: Count[], weight: number) => {
    for (const entry of counts)
      if (entry.turn !== turn) {
        entry.works += 1
        entry.weight += weight
        entry.turn = turn
      }
  }
  const countPhrases = (column: string) => {
    for (const phrase of column.split(between)) {
      const known = phrases.get(phrase)
      if (known === undefined && phrases.size === mostPhrases) phrases.clear()
      const found = known ?? counts(phrase)
      if (known === undefined) phrases.set(phrase, found)
      countAll(found, 0)
    }
  }
  return {
    count(work) {
      turn += 1
      const weight = 1 + work.readers
      // Names first: a word that stands in one has its weight, whatever else it stands in.
      countAll(counts(work.title), weight)
      if (work.alt !== '') countAll(counts(work.alt), weight)
      countAll(counts(work.author), weight)
      countPhrases(work.subject)
    },
    take(all) {
      if (!all && words.size < mostInMemory) return []
      for (const none of ['', separator]) words.delete(none)
      const taken = [...words].map(([word, { works, weight }]): Term => [word, works, weight])
      words = new Map()
      phrases.clear()
      return taken
    },
  }
}

/** The vocabulary of an index that is made, counted piece by piece and read once. */
export interface Vocabulary {
  add(words: Term[]): void
  /** Every word once, in order. */
  terms(): Generator<Term[]>
  /** Of the words that were read: for those of letters, the keys that find them despite a typo. */
  keys(): Generator<TermKeys>
}

/** Words or pairs in one batch. */
const batchSize = 8192

/** @param db any open file; what is counted is kept beside it on disk, and sorted there */
export function vocabulary(db: DatabaseSync): Vocabulary {
  db.exec(`CREATE TEMP TABLE counted (term TEXT NOT NULL, works INTEGER, weight REAL);
    CREATE TEMP TABLE deleted (h INTEGER, id INTEGER)`)
  const put = db.prepare('INSERT INTO counted VALUES (?, ?, ?)')
  const putKey = db.prepare('INSERT INTO deleted VALUES (?, ?)')
  return {
    add(words) {
      for (const [word, works, weight] of words) put.run(word, works, weight)
    },
    *terms() {
      let id = 0
      let batch: Term[] = []
      const sums = 'SELECT term, sum(works), sum(weight) FROM counted GROUP BY term ORDER BY term'
      for (const [word, works, weight] of eachRow(db, sums)) {
        const term: Term = [String(word), Number(works), Number(weight)]
        id += 1
        batch.push(term)
        if (term[2] > 0 && mayBeMistyped(term[0]))
          for (const key of correctionKeys(term[0])) putKey.run(key, id)
        if (batch.length < batchSize) continue
        yield batch
        batch = []
      }
      yield batch
      db.exec('DROP TABLE counted')
    },
    *keys() {
      let batch = new Float64Array(2 * batchSize)
      let length = 0
      for (const [h, id] of eachRow(db, 'SELECT DISTINCT h, id FROM deleted ORDER BY h, id')) {
        batch[length++] = Number(h)
        batch[length++] = Number(id)
        if (length < batch.length) continue
        yield batch
        batch = new Float64Array(2 * batchSize)
        length = 0
      }
      yield batch.subarray(0, length)
      db.exec('DROP TABLE deleted')
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

/** @returns the keys under which a word is found however it was mistyped, or by its sound */
export function correctionKeys(word: string): number[] {
  const sound = soundKey(word)
  return sound === null ? deletionKeys(word) : [...deletionKeys(word), hash(sound)]
}

/** @returns whether a word of the vocabulary is offered as the correction of another */
export function mayBeMistyped(word: string): boolean {
  return !/\d/.test(word) && !isUnspacedToken(word)
}
