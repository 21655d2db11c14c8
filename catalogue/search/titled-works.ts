import type { SearchForm } from '#shared/book.ts'
import { foldTitle, pieces } from '../text/fold.ts'
import type { Doc, IndexReader } from '../reading/index-reader.ts'
import { clausesOf, matchExpression } from './query.ts'
import { hash, titleKeys } from '../text/words.ts'

/** Finds works whose whole title is the text, in any language, best known first. */
export function titledWorks(form: SearchForm, reader: IndexReader): Doc[] {
  const asked = foldTitle(form.q)
  const docs = reader.docs(reader.titled(titleKeys(asked).map(hash)))
  const titled = docs.filter(({ title, alt }) =>
    [title, alt].some((text) => pieces(text).includes(asked)),
  )
  return matchingForm(titled, { ...form, q: '' }, reader)
}

/** @returns the works that match all fields of a form */
export function matchingForm<Work extends { docid: number }>(
  works: Work[],
  form: SearchForm,
  reader: IndexReader,
): Work[] {
  const expression = matchExpression(clausesOf(form, reader))
  if (expression === null) return works
  const docids = works.map(({ docid }) => docid)
  const matching = new Set(reader.matchAmong(expression, docids))
  return works.filter(({ docid }) => matching.has(docid))
}
