import type { ImportedBook } from '#shared/import.ts'
import { cleanTags, maxTagLength, maxTags } from '#shared/tags.ts'

type Tagged = Pick<ImportedBook, 'tags' | 'owned'>

/** The source's tags and shelves, and "owned" for a book that the reader owns. */
export const tagsOf = (book: Tagged): string[] => allTagsOf(book).slice(0, maxTags)

/** The same with those beyond what a book may have. */
export function allTagsOf({ tags, owned }: Tagged): string[] {
  const names = [...tags, ...(owned > 0 ? ['owned'] : [])]
  return cleanTags(names.map((tag) => [...tag].slice(0, maxTagLength).join('')))
}
