import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from './docs.ts'
import { isUnspacedToken, separator } from './fold.ts'
import { eachRow, numberRows } from './rows.ts'
import { deletionKeys, keyBits, phoneticKey, spellingKey } from './spelling.ts'

/** So many words are counted in memory before they are taken away. */
const maxInMemory = 200_000
/** So many subjects are kept with what counts their words. */
const maxPhrases = 50_000
const between = ` ${separator} `

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
interface WordCounter {
  /** Each word of the work once; those of its names may be offered as corrections. */
  count(work: FoldedWork): void
  /** What was counted since the last time; nothing while it is little, unless all is wanted. */
  take(all: boolean): CountedWord[]
}

/** @returns a counter that has counted nothing yet; it keeps 200 000 words and 50 000 subjects at most */
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
      // Names first: a word that stands in one has its weight, whatever else it stands in.
      countAll(counts(work.title), weight)
      if (work.alt !== '') countAll(counts(work.alt), weight)
      countAll(counts(work.author), weight)
      countPhrases(work.subject)
    },
    take(all) {
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

/** The vocabulary of an index that is made, from what was counted in parts of it. */
interface Vocabulary {
  add(words: readonly CountedWord[]): void
  /** Writes every word once, in order, and the keys that find it despite a typo. */
  finish(): void
}

/** @param db an index that is made; what is counted is kept beside it on disk, and sorted there */
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

/** So many keys are sorted in memory, 32 MB. */
const maxSorted = 2 ** 22
/** No word has more keys: eight letters, each left out once, the whole, and the sound. */
const maxKeys = 10

/**
 * The keys of all words in order, each with the id of its word. A key and an id are put into one
 * number, which sorts fastest; what is too much for memory is done part by part, by the first bits
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
  const sound = phoneticKey(word)
  return sound === null ? deletionKeys(word) : [...deletionKeys(word), spellingKey(sound)]
}

/** @returns whether a word of the vocabulary is offered as the correction of another */
export function isCorrectable(word: string): boolean {
  return !/\d/.test(word) && !isUnspacedToken(word)
}
