import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { author, authorRole, edition, work as lineOf } from '#tests/dumps.ts'
import { starter } from '#catalogue/starter-works.ts'
import { seededRandom } from '#server/demo/demo.ts'
import { parseIsbn, toIsbn13 } from '#shared/isbn.ts'
import type { KnownWork } from './catalogue-queries.ts'

/** Works, and authors, for each edition of a dump, about as in Open Library's. */
const [worksPerEdition, authorsPerEdition] = [0.65, 0.25]
/** Works that questions may be about. */
const knownWorks = 20_000

const languages = ['eng', 'eng', 'eng', 'eng', 'ger', 'fre', 'spa', 'ita', 'por', 'rus', 'jpn']
const syllables =
  'ba be bi bo bra bre ca ce cha co cra da de di dra du el en fa fe fi fra ga ge gra ha he ho in ja ka ke kri la le li lo lu ma me mi mo mu na ne ni no nu or pa pe pi po pra qua ra re ri ro ru sa se sha si so sta ste su ta te ti to tra u va ve vi wa we wi ya za zu'.split(
    ' ',
  )

/**
 * Writes dumps in the form of Open Library's: invented works whose words, names and readers are as
 * unevenly spread as real ones. The same number of editions gives the same files.
 *
 * @param folder where `authors`, `works`, `editions` and `popularity` (`.txt.gz`) are written, and
 *   `truth.ndjson`, a known work in each line
 */
export async function writeDumps(folder: string, editions: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const chance = seededRandom(editions)
  const some = <Value>(values: readonly Value[], evenness = 1): Value => {
    const value = values[Math.floor(values.length * chance() ** evenness)]
    if (value === undefined) throw new Error('There is nothing to choose from.')
    return value
  }
  const upTo = (most: number, evenness = 1) => Math.floor(most * chance() ** evenness)
  const { words, names, subjects } = vocabulary(chance)
  const word = () => some(words, 4)
  // The most frequent words are "the" and its like, which titles get from their forms.
  const titleWords = words.slice(100)
  const titleWord = () => some(titleWords, 3)
  const phrase = (least: number, most: number) =>
    Array.from({ length: least + upTo(most - least + 1, 1.5) }, word).join(' ')
  const sentence = () => {
    const text = phrase(6, 18)
    return `${capital(text)}. `
  }
  const dump = (name: string, lines: Iterable<string>) =>
    pipeline(
      Readable.from(mapped(lines, (line) => `${line}\n`)),
      createGzip({ level: 1 }),
      createWriteStream(join(folder, `${name}.txt.gz`)),
    )

  const authors = Array.from(
    { length: Math.ceil(editions * authorsPerEdition) },
    () =>
      `${some(names, 2)} ${chance() < 0.2 ? `${some(names).charAt(0)}. ` : ''}${capital(some(titleWords, 2))}`,
  )
  await dump(
    'authors',
    authors.map((name, i) => author(i + 1, name)),
  )

  const works = Array.from({ length: Math.ceil(editions * worksPerEdition) }, (_, i) => {
    const title = titleOf(titleWord, chance)
    const series = chance() < 0.12 ? ` (${capital(phrase(1, 2))}, #${1 + upTo(12, 2)})` : ''
    return {
      id: i + 1,
      title,
      full: title + series,
      orig: chance() < 0.1 ? titleOf(titleWord, chance) : null,
      author: upTo(authors.length, 2),
      // A tenth of the readers for each tenfold place, as in real counts.
      pop: Math.round(3_000_000 / (1 + upTo(editions, 1))),
    }
  })
  const lineOfWork = (work: (typeof works)[number]) =>
    lineOf(work.id, work.full, {
      ...authorRole(work.author + 1),
      subjects: Array.from({ length: upTo(6) }, () => some(subjects, 2)),
      ...(chance() < 0.3
        ? { description: Array.from({ length: 2 + upTo(5) }, sentence).join('') }
        : {}),
      ...(chance() < 0.1 ? { subject_people: [`${some(names)} ${capital(word())}`] } : {}),
      ...(chance() < 0.1 ? { subject_places: [capital(word())] } : {}),
    })
  await dump('works', mapped(works, lineOfWork))
  await dump(
    'popularity',
    mapped(works, (work) => `/works/OL${work.id}W\t${work.pop}`),
  )

  const firstIsbn = new Map<number, string>()
  function* editionLines() {
    for (let i = 0; i < editions; i++) {
      // Each work has one edition; the rest go to few works.
      const work = works[i < works.length ? i : upTo(works.length, 3)]
      if (work === undefined) continue
      const isbn10 = isbnOf(i)
      if (chance() < 0.8 && !firstIsbn.has(work.id)) firstIsbn.set(work.id, isbn10)
      const title = chance() < 0.05 ? titleOf(titleWord, chance) : work.title
      yield edition(i + 1, work.id, title, {
        ...authorRole(work.author + 1),
        languages: [{ key: `/languages/${some(languages)}` }],
        publishers: [`${capital(some(words, 3))} ${some(['Press', 'Books', 'House', 'Verlag'])}`],
        publish_date: String(1900 + upTo(125, 0.4)),
        number_of_pages: 60 + upTo(600, 1.5),
        ...(work.orig === null ? {} : { work_titles: [work.orig] }),
        ...(firstIsbn.get(work.id) === isbn10
          ? { isbn_10: [isbn10], isbn_13: [toIsbn13(isbn10)] }
          : {}),
        ...(chance() < 0.4 ? { covers: [1_000_000 + i] } : {}),
      })
    }
  }
  await dump('editions', editionLines())

  const byReaders = works.toSorted((a, b) => b.pop - a.pop).slice(0, knownWorks)
  const known = byReaders.map(({ id, title, full, orig, author, pop }) => {
    const work: Omit<KnownWork, 'id'> & { wk: string } = {
      wk: `OL${id}W`,
      gid: String(id),
      title,
      full,
      orig,
      authors: [authors[author] ?? ''],
      pop,
      isbn10: firstIsbn.get(id) ?? null,
    }
    return JSON.stringify(work)
  })
  await writeFile(join(folder, 'truth.ndjson'), known.join('\n'))
}

/** The starter books' words, most frequent first, and as many rare invented ones as real dumps have. */
function vocabulary(chance: () => number) {
  const works = [...starter().works]
  const counts = new Map<string, number>()
  const texts = works.flatMap((work) => [work.title, work.description ?? '', work.about ?? ''])
  for (const [text] of texts
    .join(' ')
    .toLowerCase()
    .matchAll(/\p{L}{2,}/gu))
    counts.set(text, (counts.get(text) ?? 0) + 1)
  const real = [...counts].toSorted((a, b) => b[1] - a[1]).map(([text]) => text)
  const invented = new Set<string>()
  while (invented.size < 120_000) {
    const length = 2 + Math.floor(3 * chance())
    const parts = Array.from(
      { length },
      () => syllables[Math.floor(chance() * syllables.length)] ?? '',
    )
    invented.add(parts.join('') + (['', 'n', 's', 'r', 'l'][Math.floor(chance() * 5)] ?? ''))
  }
  return {
    words: [...real, ...invented],
    names: [
      ...new Set(works.flatMap((work) => work.authors.map((name) => name.split(' ')[0] ?? ''))),
    ],
    subjects: [...new Set(works.flatMap((work) => work.genres))],
  }
}

function titleOf(word: () => string, chance: () => number): string {
  const [a, b, c, d] = [capital(word()), capital(word()), capital(word()), capital(word())]
  const forms = [
    a,
    `The ${a}`,
    `${a} ${b}`,
    `The ${a} of ${b}`,
    `${a} and ${b}`,
    `${a}'s ${b} ${c}`,
  ]
  const long = [
    `The ${a} of the ${b} ${c}`,
    `${a} ${b}: ${c} ${d}`,
    `${a} in the ${b} and the ${c}`,
  ]
  const all = [...forms, ...long]
  return all[Math.floor(chance() * all.length)] ?? a
}

function isbnOf(edition: number): string {
  const nine = String(100_000_000 + edition)
  const digit = [...'0123456789X'].find((each) => parseIsbn(nine + each) !== null)
  return `${nine}${digit}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function* mapped<Value>(values: Iterable<Value>, text: (value: Value) => string) {
  for (const value of values) yield text(value)
}
