import type { ImportedBook } from '#shared/import.ts'
import { cleanTags, maxTagLength, maxTags } from '#shared/tags.ts'

/** The source's tags and shelves, and "owned" for a book that the reader owns. */
export function tagsOf({ tags, owned }: Pick<ImportedBook, 'tags' | 'owned'>): string[] {
  const names = [...tags, ...(owned > 0 ? ['owned'] : [])]
  return cleanTags(names.map((tag) => [...tag].slice(0, maxTagLength).join(''))).slice(0, maxTags)
}
