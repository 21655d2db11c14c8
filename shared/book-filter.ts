import { cutText } from './text.ts'
import { formats, type Format } from './reading.ts'
import { statuses, type Status } from './user-book.ts'

/** The orders of a reader's books. */
export const bookSorts = [
  ...(['-rating', 'rating', 'title', '-title', '-created', 'created'] as const),
  ...(['-finished', '-updated', 'authors', '-page_count'] as const),
] as const
export type BookSort = (typeof bookSorts)[number]

/** Bounds and steps of the two sliders: percent read, and rating. */
export const filterRanges = {
  progress: { min: 0, max: 100, step: 5 },
  rating: { min: 0, max: 10, step: 0.5 },
} as const

export type Range = readonly [from: number, to: number]

/** What a reader can give a book, or not have given it yet. */
export const opinions = ['rating', 'review'] as const
export type Opinion = (typeof opinions)[number]

/** A filter of a reader's books. Empty fields filter nothing. */
export interface BookFilter {
  /** A book must have one of them. */
  status: readonly Status[]
  title: string
  author: string
  genre: string
  isbn: string
  /** A book must have this tag, in this spelling. */
  tag: string
  /** A code, as in {@link namedLanguages}. */
  language: string
  format: Format | ''
  /** `YYYY`; a reading must have finished the book in it. */
  read: string
  /** A book must have none of them. */
  without: readonly Opinion[]
  /** Ids; a book must be on one of them. */
  shelves: readonly string[]
  progress: Range
  rating: Range
  sort: BookSort
}

export const noFilter: BookFilter = {
  status: [],
  title: '',
  author: '',
  genre: '',
  isbn: '',
  tag: '',
  language: '',
  format: '',
  read: '',
  without: [],
  shelves: [],
  progress: [0, 100],
  rating: [0, 10],
  sort: '-rating',
}

/** The filters whose text is typed. */
export const typedFilters = ['title', 'author', 'genre', 'isbn'] as const
const texts = [...typedFilters, 'tag', 'language', 'format'] as const
const ranges = ['progress', 'rating'] as const

/** @returns the filter of an address; invalid parts are ignored */
export function parseBookFilter(search: URLSearchParams): BookFilter {
  const wanted = search.getAll('status')
  return {
    status: statuses.filter((status) => wanted.includes(status)),
    title: text(search, 'title'),
    author: text(search, 'author'),
    genre: text(search, 'genre'),
    isbn: text(search, 'isbn'),
    tag: text(search, 'tag'),
    language: text(search, 'language'),
    format: formats.find((format) => format === search.get('format')) ?? '',
    read: year(search.get('read') ?? ''),
    without: opinions.filter((opinion) => search.getAll('without').includes(opinion)),
    shelves: search.getAll('shelf').filter((id) => /^[a-z0-9]{15}$/.test(id)),
    progress: range(search, 'progress'),
    rating: range(search, 'rating'),
    sort: parseBookSort(search, noFilter.sort),
  }
}

/** @returns the order of an address, or the fallback */
export function parseBookSort(search: URLSearchParams, fallback: BookSort): BookSort {
  const sort = search.get('sort') ?? ''
  return bookSorts.find((known) => known === sort) ?? fallback
}

/** @returns the query string of a filter, without defaults */
export function formatBookFilter(filter: BookFilter): URLSearchParams {
  const search = new URLSearchParams()
  for (const status of filter.status) search.append('status', status)
  for (const name of texts) if (filter[name].trim()) search.set(name, filter[name].trim())
  if (year(filter.read)) search.set('read', filter.read)
  for (const opinion of filter.without) search.append('without', opinion)
  for (const id of filter.shelves) search.append('shelf', id)
  for (const name of ranges)
    if (filter[name].join() !== noFilter[name].join()) search.set(name, filter[name].join('-'))
  if (filter.sort !== noFilter.sort) search.set('sort', filter.sort)
  return search
}

/** @returns the number of active filters, without the order */
export function activeFilters(filter: BookFilter): number {
  const names = new Set(formatBookFilter(filter).keys())
  names.delete('sort')
  return names.size
}

/** The longest search text; no title is longer. */
const maxText = 255

function text(search: URLSearchParams, name: string): string {
  return cutText((search.get(name) ?? '').trim(), maxText)
}

/** What is typed of a year filters nothing before it is whole. */
const year = (text: string) => (/^\d{4}$/.test(text) ? text : '')

/**
 * Parses "20-60"; both must be steps of the slider and in order, otherwise the whole range is used.
 */
function range(search: URLSearchParams, name: (typeof ranges)[number]): Range {
  const { min, max, step } = filterRanges[name]
  const parts = /^(\d+(?:\.5)?)-(\d+(?:\.5)?)$/.exec(search.get(name) ?? '')
  const [from, to] = [Number(parts?.[1]), Number(parts?.[2])]
  const isStep = (value: number) => value >= min && value <= max && Number.isInteger(value / step)
  return isStep(from) && isStep(to) && from <= to ? [from, to] : noFilter[name]
}
