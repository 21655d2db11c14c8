import { searchForm, searchOrTitleForm } from '#shared/search-form.ts'
import { hasFilters, type SearchRequest, type Search } from './search-address.ts'

export { isShortTitle } from '#web/api/short-title.ts'

/**
 * @param isTitle whether the text is the whole title of a book, which may be short
 * @returns what to do for a search: show the curated sections, ask, or say what is wrong
 */
export function requestOf(search: Search, isTitle = false): SearchRequest {
  const { filters, by, order, mode } = search
  const q = search.advancedOnly ? '' : search.q
  if (!q && !hasFilters(filters)) return { state: 'nothing' }
  const form = isTitle ? searchOrTitleForm : searchForm
  const parsed = form.safeParse({ q, ...filters, by, order, mode })
  if (parsed.success) return { state: 'search', form: parsed.data }
  const messages: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) messages[String(path[0])] ??= message
  return { state: 'wrong', messages }
}

/** @returns what is wrong with a text alone, or beside filters */
export function textProblem(q: string, isFiltered: boolean): string | undefined {
  const { error } = isFiltered ? searchForm.shape.q.safeParse(q) : searchForm.safeParse({ q })
  return error?.issues[0]?.message
}
