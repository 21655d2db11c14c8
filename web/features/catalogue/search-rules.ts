import { searchForm, searchOrTitleForm } from '#shared/search-form.ts'
import { issueMessage } from '#web/i18n/rules.ts'
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
  for (const issue of parsed.error.issues) messages[String(issue.path[0])] ??= issueMessage(issue)
  return { state: 'wrong', messages }
}

/** @returns what is wrong with a text alone, or beside filters */
export function textProblem(q: string, isFiltered: boolean): string | undefined {
  const { error } = isFiltered ? searchForm.shape.q.safeParse(q) : searchForm.safeParse({ q })
  const [issue] = error?.issues ?? []
  return issue && issueMessage(issue, 'q')
}
