import { toIsbn10, toIsbn13 } from './isbn.ts'

/** What a reader's own template may name. */
export const templateVariables = ['isbn13', 'isbn10', 'title', 'author'] as const

/** What of a book goes into an address, by the name it has in a template. */
export type TemplateValues = Readonly<Record<string, string | undefined>>

/** @returns the values of a book that a reader's own template may name */
export function templateValues(book: {
  isbn: string
  title: string
  author: string
}): TemplateValues {
  return {
    isbn13: toIsbn13(book.isbn) ?? undefined,
    isbn10: toIsbn10(book.isbn) ?? undefined,
    title: book.title || undefined,
    author: book.author || undefined,
  }
}

/**
 * An address put together from a template such as `https://store.example/{isbn13}`.
 *
 * @returns null when the book lacks something that the template names
 */
export function fillTemplate(template: string, values: TemplateValues): string | null {
  let isWhole = true
  const link = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (!value) isWhole = false
    // A lone half of a surrogate pair cannot be encoded. The slash of an id is part of its path.
    return encodeURIComponent((value ?? '').toWellFormed()).replaceAll('%2F', '/')
  })
  return isWhole ? link : null
}
