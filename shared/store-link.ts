import { toIsbn10, toIsbn13 } from './isbn.ts'

/** The variables of readers' own templates. */
export const templateVariables = ['isbn13', 'isbn10', 'title', 'author'] as const

/** A book's values for a template, by variable. */
export type TemplateValues = Readonly<Record<string, string | undefined>>

/** @returns a book's values for a reader's own template */
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
 * Fills in a template such as `https://store.example/{isbn13}`.
 *
 * @returns null if the book lacks one of the variables
 */
export function fillTemplate(template: string, values: TemplateValues): string | null {
  let isWhole = true
  const link = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (!value) isWhole = false
    // Lone surrogates can't be encoded. Slashes in ids are part of the path.
    return encodeURIComponent((value ?? '').toWellFormed()).replaceAll('%2F', '/')
  })
  return isWhole ? link : null
}
