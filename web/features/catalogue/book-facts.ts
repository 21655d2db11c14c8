import { languageName, isbnOf, type Book } from '#shared/book.ts'
import { t } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { formatDate, formatNumber } from '#web/i18n/format.ts'

/** @returns what "More Details" lists before the genres; a long one has a line of its own */
export function bookFacts(book: Book): { label: string; text: string; isLong?: true }[] {
  const { page_count, language, isbns } = book
  return [
    { label: t('pages'), text: page_count > 0 ? formatNumber(page_count) : t('unknown') },
    { label: t('language'), text: languageName(language, currentLanguage()) || t('unknown') },
    {
      label: t('published'),
      text: publishedText(book.published_date, book.publisher),
      isLong: true,
    },
    { label: t('isbn'), text: isbnText(isbns) || t('unknown'), isLong: true },
  ]
}

/** @returns "625 pages · 2001 · Penguin", as far as it is known */
export function factsLine({ page_count, published_date, publisher }: Book): string {
  const pages = page_count > 0 ? t('pageCount', { count: page_count }) : ''
  const [year = ''] = /^\d{4}/.exec(published_date) ?? []
  return [pages, year, publisher].filter(Boolean).join(' · ')
}

/**
 * @param date yyyy, yyyy-MM or yyyy-MM-dd
 * @returns "April 29, 2004 by Penguin Classics", either part alone, or "Unknown"
 */
export function publishedText(date: string, publisher: string): string {
  const day = dateText(date)
  if (day && publisher) return t('publishedBy', { day, publisher })
  return day || publisher || t('unknown')
}

/** @returns both ISBNs, whichever there is, or '' */
function isbnText({ ISBN_10, ISBN_13 }: Book['isbns']): string {
  if (ISBN_13 && ISBN_10) return t('bothIsbns', { isbn13: ISBN_13, isbn10: ISBN_10 })
  return ISBN_13 ?? ISBN_10 ?? ''
}

/** Formats a date only as exactly as it is known: a year stays a year. */
function dateText(date: string): string {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(date) ?? []
  if (!year) return ''
  if (!month) return year
  const time = Date.parse(`${year}-${month}-${day ?? '01'}T00:00:00Z`)
  if (Number.isNaN(time)) return year
  return formatDate(new Date(time), {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
    ...(day ? { day: 'numeric' } : {}),
  })
}

/** @returns the description, ending with a full stop, or a sentence that there is none */
export function descriptionText(description: string): string {
  const text = description.trim()
  if (!text) return t('noInformationAvailable')
  return /[.!?\u2026\u3002\uFF01\uFF1F\u061F\u0964][)\]"'\u2019\u201D\u00BB\u300D\u300F]*$/.test(
    text,
  )
    ? text
    : `${text}.`
}

/** The few words schema.org has for bindings. */
function schemaFormat(format = ''): string | undefined {
  const formats = { Hardcover: /hard/i, Paperback: /paper/i, EBook: /e-?book|kindle/i }
  const name = Object.entries({ ...formats, AudiobookFormat: /audio/i }).find(([, pattern]) =>
    pattern.test(format),
  )?.[0]
  return name && `https://schema.org/${name}`
}

/** A book's structured data for search engines: https://schema.org/Book. */
export function bookStructuredData(
  book: Book,
  url: string,
  image?: string,
): Record<string, unknown> {
  const known = {
    name: book.title,
    url,
    author: book.authors.map((name) => ({ '@type': 'Person', name })),
    isbn: isbnOf(book) || undefined,
    bookFormat: schemaFormat(book.format),
    numberOfPages: book.page_count || undefined,
    datePublished: book.published_date || undefined,
    publisher: book.publisher ? { '@type': 'Organization', name: book.publisher } : undefined,
    genre: book.genres.length > 0 ? book.genres : undefined,
    inLanguage: book.language || undefined,
    description: book.description || undefined,
    image,
  }
  return { '@context': 'https://schema.org', '@type': 'Book', ...known }
}
