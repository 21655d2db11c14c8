import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from '../index/docs.ts'
import { isUnspacedToken, separator } from '../text/fold.ts'
import { eachRow, numberRows } from '../index/rows.ts'
import { deletionKeys, keyBits, phoneticKey, spellingKey } from '../text/spelling.ts'

/** The number of words counted in memory before they are flushed. */
const maxInMemory = 200_000
/** The size of the cache of subjects. */
const maxPhrases = 50_000
const between = ` ${separator} `

/**
 * The number of works with a word, and how widely read those are that have it in their title or
 * author.
 */
interface Count {
  works: number
  weight: number
  /** The last work it was counted for. */
  turn: number
}

/** A word with its number of works, and how widely read those with it in their names are. */
export type CountedWord = [word: string, works: number, weight: number]

/** Counts the words of a catalogue of any size; counts are flushed now and then. */
interface WordCounter {
  /** Counts each word of the work once; words of its names can become corrections. */
  count(work: FoldedWork): void
  /** Returns the counts since the last call; nothing while there are few, unless `all`. */
  flush(all: boolean): CountedWord[]
}

/** @returns an empty counter, which holds at most 200,000 words and 50,000 subjects */
export function wordCounter(): WordCounter {
  let words = new Map<string, Count>()
  // A cache, as many works share subjects.
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
      if (known === undefined && phrases.size === maxPhrases) phrases.clear()
      const found = known ?? counts(phrase)
      if (known === undefined) phrases.set(phrase, found)
      countAll(found, 0)
    }
  }
  return {
    count(work) {
      turn += 1
      const weight = 1 + work.readers
      // Names first: a word in a name has its weight, wherever else it occurs.
      countAll(counts(work.title), weight)
      if (work.alt !== '') countAll(counts(work.alt), weight)
      countAll(counts(work.author), weight)
      countPhrases(work.subject)
    },
    flush(all) {
      if (!all && words.size < maxInMemory) return []
      for (const none of ['', separator]) words.delete(none)
      const taken = [...words].map(([word, { works, weight }]): CountedWord => [
        word,
        works,
        weight,
      ])
      words = new Map()
      phrases.clear()
      return taken
    },
  }
}

/** The vocabulary of a new index, from partial counts. */
interface Vocabulary {
  add(words: readonly CountedWord[]): void
  /** Writes every word once, in order, with its spelling keys. */
  finish(): void
}

/** @param db a new index; the counts are stored and sorted next to it on disk */
export function vocabularyWriter(db: DatabaseSync): Vocabulary {
  db.exec('CREATE TEMP TABLE counted (term TEXT NOT NULL, works INTEGER, weight REAL)')
  const put = db.prepare('INSERT INTO counted VALUES (?, ?, ?)')
  return {
    add(words) {
      for (const [word, works, weight] of words) put.run(word, works, weight)
    },
    finish() {
      db.exec(`INSERT INTO term (term, df, weight)
          SELECT term, sum(works), sum(weight) FROM counted GROUP BY term ORDER BY term;
        DROP TABLE counted;
        CREATE UNIQUE INDEX term_term ON term (term)`)
      const keys = numberRows(db, 'INSERT INTO del', 2)
      for (const [h, id] of sortedKeys(db)) keys.add(h, id)
      keys.finish()
    },
  }
}

/** The number of keys sorted in memory, 32 MB. */
const maxSorted = 2 ** 22
/** The most keys of a word: eight letters, each left out once, the whole, and the sound. */
const maxKeys = 10

/**
 * Yields the keys of all words in order, each with its word's id. Key and id are packed into one
 * number, which sorts fastest; what doesn't fit into memory is sorted in parts, by the first bits
 * of the keys.
 */
function* sortedKeys(db: DatabaseSync): Generator<[h: number, id: number]> {
  const [[last] = []] = eachRow(db, 'SELECT max(id) FROM term')
  const parts = 2 ** Math.max(0, Math.ceil(Math.log2((maxKeys * Number(last ?? 0)) / maxSorted)))
  const perPart = 2 ** keyBits / parts
  const idRange = 2 ** 53 / perPart
  const packed = new Float64Array(Math.min(maxSorted, maxKeys * Number(last ?? 0)))
  for (let part = 0; part < parts; part++) {
    let length = 0
    for (const [id, word] of eachRow(db, 'SELECT id, term FROM term WHERE weight > 0')) {
      if (!isCorrectable(String(word))) continue
      for (const key of correctionKeys(String(word)))
        if (Math.floor(key / perPart) === part)
          packed[length++] = (key % perPart) * idRange + Number(id)
    }
    let before = -1
    for (const each of packed.subarray(0, length).sort()) {
      if (each !== before) yield [part * perPart + Math.floor(each / idRange), each % idRange]
      before = each
    }
  }
}

/** @returns the words of a work: those of its names, and those including its subjects */
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

/** @returns the keys that find a word despite a typo, or by its sound */
export function correctionKeys(word: string): number[] {
  const sound = phoneticKey(word)
  return sound === null ? deletionKeys(word) : [...deletionKeys(word), spellingKey(sound)]
}

/** @returns whether a word can be a correction of another */
export function isCorrectable(word: string): boolean {
  return !/\d/.test(word) && !isUnspacedToken(word)
}
