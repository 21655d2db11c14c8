/**
 * Similar taste on real readers: `npm run bench -- taste RATINGS.csv.gz`, the ratings of
 * goodbooks-10k. Half of a reader's ratings is held back; the favourites of the five nearest readers
 * are then compared with what is popular.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, type Database } from '#records/index.ts'
import { similarReaders } from '#server/library/similar-taste.ts'
import { stableHash } from './similar-halves.ts'
import { percentile, table } from './table.ts'
import { readRatings, seedRatings, type Rating } from './taste-data.ts'

/** Readers asked, each with at least so many ratings. */
const readers = 1000
const minRatings = 10

const nearest = 5
const listed = [5, 10]

/** Four of five stars, in half stars. */
const lovedFrom = 8

/** A reader's ratings by book. */
type Library = ReadonlyMap<string, number>

export async function taste([file]: readonly string[]): Promise<void> {
  if (!file) throw new Error('npm run bench -- taste RATINGS.csv.gz')
  const opinions = readRatings(file)
  const libraries = grouped(opinions)
  const asked = [...libraries]
    .filter(([, books]) => books.size >= minRatings)
    .map(([user]) => user)
    .toSorted((a, b) => stableHash(a) - stableHash(b))
    .slice(0, readers)
  const ofAsked = new Set(asked)
  const rows = [
    ['Held back', 'list', 'popularity', 'five nearest', 'times', 'ms p50', 'ms p95'],
    ...(await measure('half of everybody’s', opinions, asked, () => true)),
    ...(await measure('half of each who asks', opinions, asked, (user) => ofAsked.has(user))),
  ]
  console.log(`${opinions.length} ratings of ${libraries.size} readers; ${asked.length} of those with ${minRatings} or more ask

${table(rows)}`)
}

/** @param isHalved whether half of the reader's ratings is held back */
async function measure(
  name: string,
  opinions: readonly Rating[],
  asked: readonly string[],
  isHalved: (user: string) => boolean,
): Promise<string[][]> {
  const isKnown = ({ user, book }: Rating) => !isHalved(user) || stableHash(user + book) % 2 === 0
  const shown = opinions.filter(isKnown)
  const known = grouped(shown)
  const held = grouped(opinions.filter((opinion) => !isKnown(opinion)))
  const fans = fansOf(shown)
  const popular = [...fans].sort((a, b) => b[1] - a[1]).map(([book]) => book)
  using folder = mkdtempDisposableSync(join(tmpdir(), 'octavo-bench-'))
  const file = join(folder.path, 'octavo.db')
  await seedRatings(file, shown)
  const database = openSqlite(file)
  const took: number[] = []
  const hits = listed.map(() => ({ fame: 0, near: 0 }))
  for (const user of asked) {
    const start = performance.now()
    const near = await nearTo(database, user)
    took.push(performance.now() - start)
    const own = known.get(user) ?? new Map<string, number>()
    const loved = new Set(lovedIn(held.get(user) ?? new Map<string, number>()))
    const lists = {
      fame: popular.filter((book) => !own.has(book)),
      near: favourites(
        near.map((other) => known.get(other) ?? new Map<string, number>()),
        fans,
      ).filter((book) => !own.has(book)),
    }
    for (const [i, count] of listed.entries())
      for (const kind of ['fame', 'near'] as const)
        hits[i]![kind] += lists[kind].slice(0, count).filter((book) => loved.has(book)).length
  }
  await database.close()
  return hits.map(({ fame, near }, i) => [
    name,
    `first ${listed[i]}`,
    (fame / asked.length / listed[i]!).toFixed(3),
    (near / asked.length / listed[i]!).toFixed(3),
    (near / fame).toFixed(2),
    percentile(took, 0.5).toFixed(1),
    percentile(took, 0.95).toFixed(1),
  ])
}

async function nearTo(database: Database, user: string): Promise<string[]> {
  const { readers } = await similarReaders(database, user, 1)
  return [...readers.keys()].slice(0, nearest)
}

/** What several of the readers love first; of equals, what more love everywhere. */
function favourites(near: readonly Library[], fans: ReadonlyMap<string, number>): string[] {
  const votes = new Map<string, number>()
  for (const book of near.flatMap(lovedIn)) votes.set(book, (votes.get(book) ?? 0) + 1)
  return [...votes]
    .sort(([a, one], [b, other]) => other - one || (fans.get(b) ?? 0) - (fans.get(a) ?? 0))
    .map(([book]) => book)
}

const lovedIn = (books: Library) =>
  [...books].filter(([, rating]) => rating >= lovedFrom).map(([book]) => book)

function fansOf(opinions: readonly Rating[]): Map<string, number> {
  const fans = new Map<string, number>()
  for (const { book, rating } of opinions)
    if (rating >= lovedFrom) fans.set(book, (fans.get(book) ?? 0) + 1)
  return fans
}

function grouped(opinions: readonly Rating[]): Map<string, Map<string, number>> {
  const libraries = new Map<string, Map<string, number>>()
  for (const { user, book, rating } of opinions)
    libraries.getOrInsertComputed(user, () => new Map()).set(book, rating)
  return libraries
}
