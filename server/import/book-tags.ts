import type { ImportedBook } from '#shared/import.ts'
import { cutText } from '#shared/text.ts'
import { cleanTags, maxTagLength, maxTags } from '#shared/tags.ts'

type Tagged = Pick<ImportedBook, 'tags' | 'owned'>

/** The source's tags and shelves, and "owned" for a book that the reader owns. */
export const tagsOf = (book: Tagged): string[] => allTagsOf(book).slice(0, maxTags)

/** The same with those beyond what a book may have. */
export const allTagsOf = (book: Tagged): string[] => cleanTags(tagNames(book).map(cut))

/** The limit counts code points, of which some characters have several. */
const cut = (tag: string) => cutText(tag, [...tag].slice(0, maxTagLength).join('').length)

/** The same as the source writes them. */
export const tagNames = ({ tags, owned }: Tagged): string[] => [
  ...new Set([...tags, ...(owned > 0 ? ['owned'] : [])]),
]
