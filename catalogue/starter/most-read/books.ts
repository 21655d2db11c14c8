import { readFileSync } from 'node:fs'
import type { SeriesPlace } from '../../index/work.ts'

/** A book of goodbooks-10k, as far as it is a fact. */
export interface MostReadBook {
  /** Its number there, by how many people had rated it. */
  id: string
  title: string
  /** Its title in the original language or edition; '' if that is the same. */
  original: string
  authors: string[]
  /** The year the work first appeared, yyyy; '' if unknown. */
  year: string
  /** MARC code; '' if unknown. */
  language: string
  isbns: string[]
  /** 0 when unknown. */
  pages: number
  series: SeriesPlace[]
  /** How many readers rated it. */
  ratings: number
}

/** The columns of `books.tsv`. Lists are separated by |, the parts of a place in a series by #. */
export const columns = [
  'id',
  'title',
  'original',
  'authors',
  'year',
  'language',
  'isbns',
  'pages',
  'series',
  'ratings',
] as const

/** @returns the most read books of goodbooks-10k, most read first */
export function mostReadBooks(): MostReadBook[] {
  const text = readFileSync(new URL('books.tsv', import.meta.url), 'utf8')
  return text.trimEnd().split('\n').slice(1).map(bookOf)
}

function bookOf(line: string): MostReadBook {
  const cells = line.split('\t')
  const [id = '', title = '', original = '', authors = '', year = '', language = ''] = cells
  const [isbns = '', pages = '', series = '', ratings = ''] = cells.slice(6)
  return {
    id,
    title,
    original,
    authors: listOf(authors),
    year,
    language,
    isbns: listOf(isbns),
    pages: Number(pages),
    series: listOf(series).map((place) => {
      const [name = '', position = '', by = ''] = place.split('#')
      return { name, position, by }
    }),
    ratings: Number(ratings),
  }
}

const listOf = (cell: string) => (cell === '' ? [] : cell.split('|'))
