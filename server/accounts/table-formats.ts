import { escapeUTF8 } from 'entities'
import type { Stored } from '#server/collections/stored.ts'
import { splitNames } from '#server/import/people.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import { tagKey } from '#shared/tags.ts'
import type { Status } from '#shared/user-book.ts'

/** A book in a table: one entry, whatever shelves it is on. */
interface TableBook {
  book: Stored<'user_books'>
  /** Names, oldest shelf first. */
  shelves: readonly string[]
  /** Oldest first, after those without dates. */
  readings: readonly Stored<'readings'>[]
}

/** The format of another tracker's file. */
export interface TableFormat {
  columns: readonly string[]
  /** The lines of a book; missing columns are empty. */
  rows(book: TableBook): Partial<Record<string, string>>[]
}

export const tableFormats = {
  goodreads: {
    columns: [
      'Book Id',
      'Title',
      'Author',
      'Author l-f',
      'Additional Authors',
      'ISBN',
      'ISBN13',
      'My Rating',
      'Average Rating',
      'Publisher',
      'Binding',
      'Number of Pages',
      'Year Published',
      'Original Publication Year',
      'Date Read',
      'Date Added',
      'Bookshelves',
      'Bookshelves with positions',
      'Exclusive Shelf',
      'My Review',
      'Spoiler',
      'Private Notes',
      'Read Count',
      'Owned Copies',
    ],
    rows: goodreadsRows,
  },
  storygraph: {
    columns:
      'Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?'.split(
        ',',
      ),
    rows: storygraphRows,
  },
  openreads: {
    columns:
      'title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified'.split(
        ',',
      ),
    rows: openreadsRows,
  },
  bookwyrm: {
    columns:
      'title,author_text,remote_id,openlibrary_key,inventaire_id,librarything_key,goodreads_key,bnf_id,viaf,wikidata,asin,aasin,isfdb,isbn_10,isbn_13,oclc_number,start_date,finish_date,stopped_date,rating,review_name,review_cw,review_content,review_published,shelf,shelf_name,shelf_date'.split(
        ',',
      ),
    rows: bookwyrmRows,
  },
} as const satisfies Record<string, TableFormat>

/** The tag that an import gives to books the reader owns. */
const ownedTag = 'owned'

const exclusiveShelves: Record<Status | '', string> = {
  '': '',
  completed: 'read',
  reading: 'currently-reading',
  planning: 'to-read',
  paused: 'paused',
  dropped: 'dropped',
}

const bindings: Record<string, string> = {
  print: 'Paperback',
  ebook: 'Kindle Edition',
  audio: 'Audiobook',
}

/** Goodreads, StoryGraph and BookWyrm read reviews as HTML: what a reader typed must not become markup. */
function textToHtml(text: string): string {
  return escapeUTF8(text).replaceAll(/\r\n?|\n/g, '<br/>')
}

/** The format has no half stars, and one reading a book: the last. */
function goodreadsRows({ book, shelves, readings }: TableBook) {
  const [author = '', ...others] = book.authors
  const isbn = book.isbn
  const status = book.status
  const finished = readings.filter(({ outcome }) => outcome === 'finished')
  const last = finished.findLast((one) => one.finished.length === 10)?.finished ?? ''
  return [
    {
      'Book Id': book.id,
      Title: book.title,
      Author: author,
      'Author l-f': lastNameFirst(author),
      'Additional Authors': people(others),
      // As a formula: spreadsheets would drop leading zeros.
      ISBN: `="${toIsbn10(isbn) ?? ''}"`,
      ISBN13: `="${toIsbn13(isbn) ?? ''}"`,
      'My Rating': String(wholeStars(book.rating)),
      'Number of Pages': count(book.page_count),
      'Date Added': slashed(book.created.slice(0, 10)),
      'Date Read': slashed(last),
      Binding: bindings[book.format] ?? '',
      Bookshelves: withoutCommas([...shelves, ...tagsOf(book)]).join(', '),
      'Exclusive Shelf': exclusiveShelves[status],
      'My Review': textToHtml(book.review),
      Spoiler: book.review_spoilers ? 'true' : '',
      'Private Notes': textToHtml(book.notes),
      'Read Count': String(finished.length || Number(status === 'completed')),
      'Owned Copies': isOwned(book) ? '1' : '0',
    },
  ]
}

const storygraphStatuses: Record<Status | '', string> = {
  ...exclusiveShelves,
  dropped: 'did-not-finish',
}
const storygraphFormats: Record<string, string> = {
  print: 'paperback',
  ebook: 'digital',
  audio: 'audio',
}

function storygraphRows({ book, shelves, readings }: TableBook) {
  const dated = readings.filter((one) => one.started || one.finished)
  const ended = readings.filter(({ outcome }) => outcome === 'finished')
  return [
    {
      Title: book.title,
      Authors: people(book.authors),
      'ISBN/UID': book.isbn,
      Format: storygraphFormats[book.format] ?? '',
      'Read Status': storygraphStatuses[book.status],
      'Date Added': slashed(book.created.slice(0, 10)),
      'Last Date Read': slashed(dated.findLast(({ finished }) => finished)?.finished ?? ''),
      'Dates Read': dated
        .map(({ started, finished }) =>
          started ? `${slashed(started)}-${slashed(finished)}` : slashed(finished),
        )
        .join(', '),
      'Read Count': String(ended.length),
      'Star Rating': starsOf(book, 2),
      Review: textToHtml(book.review),
      Tags: withoutCommas([...shelves, ...tagsOf(book)]).join(', '),
      'Owned?': isOwned(book) ? 'Yes' : 'No',
    },
  ]
}

const openreadsStatuses: Record<Status | '', string> = {
  '': '',
  completed: 'finished',
  reading: 'in_progress',
  paused: 'in_progress',
  planning: 'planned',
  dropped: 'abandoned',
}
const openreadsFormats: Record<string, string> = {
  print: 'paperback',
  ebook: 'ebook',
  audio: 'audiobook',
}

function openreadsRows({ book, shelves, readings }: TableBook) {
  const instant = (date: string) => date.replace(' ', 'T').replace('Z', '')
  const day = (date: string) => (date.length === 10 ? `${date}T00:00:00.000` : '')
  const dated = readings.filter((one) => day(one.started) || day(one.finished))
  return [
    {
      title: book.title,
      author: people(book.authors),
      status: openreadsStatuses[book.status],
      favourite: 'false',
      deleted: 'false',
      rating: starsOf(book, 1),
      pages: count(book.page_count),
      isbn: book.isbn,
      tags: [...shelves, ...(book.tags ?? [])].join('|||||'),
      my_review: book.review,
      notes: book.notes,
      book_format: openreadsFormats[book.format] ?? '',
      readings: dated.map(({ started, finished }) => `${day(started)}|${day(finished)}|`).join(';'),
      date_added: instant(book.created),
      date_modified: instant(book.updated),
    },
  ]
}

const bookwyrmShelves: Partial<Record<Status | '', string>> = {
  completed: 'Read',
  reading: 'Currently Reading',
  planning: 'To Read',
  dropped: 'Stopped Reading',
}
const bookwyrmIds: Partial<Record<Status | '', string>> = {
  completed: 'read',
  reading: 'reading',
  planning: 'to-read',
  dropped: 'stopped-reading',
}

/** One line for each dated reading, as a line holds only one. */
function bookwyrmRows({ book, readings }: TableBook) {
  const status = book.status
  const isbn = book.isbn
  const row = {
    title: book.title,
    author_text: people(book.authors),
    isbn_10: toIsbn10(isbn) ?? '',
    isbn_13: toIsbn13(isbn) ?? '',
    rating: starsOf(book, 1),
    review_cw: book.review_spoilers ? 'Spoilers' : '',
    review_content: textToHtml(book.review),
    shelf: bookwyrmIds[status] ?? 'reading',
    shelf_name: bookwyrmShelves[status] ?? 'Currently Reading',
    shelf_date: book.created.slice(0, 10),
  }
  const dated = readings.filter((one) => one.started || one.finished)
  const [first, ...others] = dated.map(({ started, finished, outcome }) => ({
    start_date: started,
    finish_date: outcome === 'dropped' ? '' : finished,
    stopped_date: outcome === 'dropped' ? finished : '',
  }))
  const bare = { ...row, rating: '', review_cw: '', review_content: '' }
  return [{ ...row, ...first }, ...others.map((one) => ({ ...bare, ...one }))]
}

/** @param rating 0 to 10; the format has no half stars, and 0 means no rating */
function wholeStars(rating: number): number {
  return rating > 0 ? Math.max(1, Math.round(rating / 2)) : 0
}

/** @returns stars out of five, with at least this many decimals; '' for none */
function starsOf({ rating }: Stored<'user_books'>, decimals: number): string {
  const stars = rating / 2
  return stars > 0 ? stars.toFixed(decimals === 1 && (stars * 2) % 1 === 0 ? 1 : 2) : ''
}

const count = (value: number) => (value > 0 ? String(value) : '')
const slashed = (date: string) => date.replaceAll('-', '/')
/** A comma splits a name in two, except before "Jr." */
const people = (names: readonly string[]) =>
  names.map((name) => (splitNames(name).length > 1 ? name.replaceAll(',', ' ') : name)).join(', ')
// A comma would split a name in two.
const withoutCommas = (names: readonly string[]) => names.map((name) => name.replaceAll(',', ' '))
const isOwned = (book: Stored<'user_books'>) =>
  (book.tags ?? []).some((tag) => tagKey(tag) === ownedTag)
const tagsOf = (book: Stored<'user_books'>) =>
  (book.tags ?? []).filter((tag) => tagKey(tag) !== ownedTag)

function lastNameFirst(author: string): string {
  const names = author.trim().split(/\s+/)
  return names.length < 2 ? author : `${names.at(-1)}, ${names.slice(0, -1).join(' ')}`
}
