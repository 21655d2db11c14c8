/**
 * How well descriptions in plain language are answered on the starter catalogue, and what that costs
 * those who type a title: `npm run bench -- described`.
 */
import { join } from 'node:path'
import { openBooks } from '#catalogue/index/books.ts'
import { buildIndex } from '#catalogue/index/build.ts'
import {
  describedBooks,
  judgeDescribed,
  placeAmong,
  questionsOf,
  shareBelow,
} from '#catalogue/search/described.fixture.ts'
import { openIndexReader } from '#catalogue/index/index-reader.ts'
import { createSearch } from '#catalogue/search/search.ts'
import { starter } from '#catalogue/starter-works.ts'
import { searchForm } from '#shared/search-form.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { isShort } from './measure.ts'
import { percentile, table } from './table.ts'

/** Questions with their books: one set to develop on, one that is only reported. */
const sets = {
  'described-dev': 'descriptions, developed on',
  'described-reported': 'descriptions, reported only',
  'foreign-titles': 'titles in other languages',
}

/** The descriptions whose books are known. */
const descriptions = describedBooks.slice(0, isShort ? 10 : undefined)

const modes = { words: 'Words alone', auto: 'As it is searched', describe: 'As a description' }

export async function described(folder: string): Promise<string> {
  const file = join(folder, 'catalogue.db')
  const works = starter()
  if (isShort) await copyStarterIndex(folder)
  else await buildIndex(file, works)
  const reader = openIndexReader(file)
  const books = openBooks(file)
  const known = [...works.works]
    .slice(0, isShort ? 30 : undefined)
    .map(({ title, authors: [author = ''] }) => ({
      title,
      q: `${title} ${author}`.slice(0, 250),
    }))
  const rows = Object.entries(modes).map(([mode, name]) => {
    const search = createSearch(reader)
    const times: number[] = []
    const ask = (q: string) => {
      const form = searchForm.parse({ q, mode })
      const start = performance.now()
      const { editionIds } = search(form)
      times.push(performance.now() - start)
      return editionIds.map((id) => books.byEdition(id)?.title ?? '')
    }
    const { success, ndcg } = judgeDescribed(ask, descriptions)
    const p99 = percentile(times, 0.99)
    const first = known.filter(({ q, title }) => ask(q)[0] === title).length / known.length
    return [name, success.toFixed(3), ndcg.toFixed(3), p99.toFixed(1), first.toFixed(3)]
  })
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
  const head = ['', 'success@10', 'nDCG@10', 'ms p99', 'title and author: success@1']
  return `## ${descriptions.length} descriptions, ${known.length} titles with author\n\n${table([head, ...rows])}\n\n${table([['', 'success@10', 'success@1'], ...judged])}\n`
}
