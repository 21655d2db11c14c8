/**
 * How well descriptions and foreign titles find their books in the starter catalogue:
 * `npm run bench -- described`.
 */
import { join } from 'node:path'
import { openBooks } from '#catalogue/reading/books.ts'
import { buildIndex } from '#catalogue/starter/build-index.ts'
import { placeAmong, questionsOf, shareBelow } from '#catalogue/search/described.fixture.ts'
import { openIndexReader } from '#catalogue/reading/index-reader.ts'
import { createSearch } from '#catalogue/search/search.ts'
import { starter } from '#catalogue/starter-works.ts'
import { searchForm } from '#shared/search-form.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { isShort } from './measure.ts'
import { table } from './table.ts'

/** Questions with their books: one set to develop on, one that is only reported. */
const sets = {
  'described-dev': 'descriptions, developed on',
  'described-reported': 'descriptions, reported only',
  'foreign-titles': 'titles in other languages',
}

export async function described(folder: string): Promise<string> {
  const file = join(folder, 'catalogue.db')
  if (isShort) await copyStarterIndex(folder)
  else await buildIndex(file, starter())
  const reader = openIndexReader(file)
  const books = openBooks(file)
  const search = createSearch(reader)
  const judged = Object.entries(sets).map(([name, title]) => {
    const asked = questionsOf(name).slice(0, isShort ? 10 : undefined)
    const places = asked.map((one) => {
      const { editionIds } = search(searchForm.parse({ q: one.q }))
      const titles = editionIds.map((id) => books.byEdition(id)?.title ?? '')
      return placeAmong(titles, one)
    })
    const shares = [10, 1].map((below) => shareBelow(places, below).toFixed(3))
    return [`${asked.length} ${title}`, ...shares]
  })
  reader.close()
  books.close()
  return `## Descriptions and foreign titles

Questions to the starter catalogue, and how many find their book.

${table([['', 'success@10', 'success@1'], ...judged])}
`
}
