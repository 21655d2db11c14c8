import type { SearchForm } from '#shared/book.ts'
import { t } from '#web/i18n/catalogue.ts'

/** The fields of Advanced Search, in its order. */
export const filterFields = ['title', 'author', 'publisher', 'genre', 'isbn'] as const
type FilterField = (typeof filterFields)[number]
export type Filters = Record<FilterField, string>

/** @returns what a field is called on screen */
export const filterLabel = (field: FilterField) => t(`filter.${field}`)

/** A search in Explore, as in its address. */
export interface Search {
  q: string
  filters: Filters
  /** The text is left aside. */
  advancedOnly: boolean
  by: SearchForm['by']
  order: SearchForm['order']
  /** Whether the text is a description: by what it says, no, or yes. */
  mode: SearchForm['mode']
  /** Pages to show at once. */
  page: number
}

export const blankFilters: Filters = { title: '', author: '', publisher: '', genre: '', isbn: '' }

const modes = ['words', 'describe'] as const

/** More pages than these are not fetched for one address. */
export const maxPages = 10

/** @returns what an address asks for; a word it should not have counts as its default */
export function readSearch(params: URLSearchParams): Search {
  const text = (name: string) => params.get(name)?.trim() ?? ''
  const filters = { ...blankFilters }
  for (const field of filterFields) filters[field] = text(field)
  return {
    q: text('q') || text('text'),
    filters,
    advancedOnly: text('advancedOnly') === 'true' && hasFilters(filters),
    by: text('by') === '2' ? '2' : '1',
    order: text('order') === 'newest' ? 'newest' : 'relevance',
    mode: modes.find((mode) => mode === text('mode')) ?? 'auto',
    page: /^[1-9]\d{0,3}$/.test(text('page')) ? Math.min(Number(text('page')), maxPages) : 1,
  }
}

/** @returns the address's query, without what is the default */
export function writeSearch(search: Search): string {
  const { q, filters, advancedOnly, by, order, mode, page } = search
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  for (const field of filterFields) if (filters[field]) params.set(field, filters[field])
  if (advancedOnly) params.set('advancedOnly', 'true')
  if (by !== '1') params.set('by', by)
  if (order !== 'relevance') params.set('order', order)
  if (mode !== 'auto' && q) params.set('mode', mode)
  if (page > 1) params.set('page', String(page))
  return params.toString()
}

export function hasFilters(filters: Filters): boolean {
  return filterFields.some((field) => filters[field] !== '')
}

/** Nothing asked, a form to send, or what is wrong with the one there is, by field. */
export type SearchRequest =
  | { state: 'nothing' }
  | { state: 'search'; form: SearchForm }
  | { state: 'wrong'; messages: Record<string, string> }

/** Explore, asked for one thing alone. */
export function filterQuery(filter: Partial<Filters>): string {
  const filters = { ...blankFilters, ...filter }
  return writeSearch({
    q: '',
    filters,
    advancedOnly: true,
    by: '1',
    order: 'relevance',
    mode: 'auto',
    page: 1,
  })
}
