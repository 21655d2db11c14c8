import { expect, onTestFinished, test } from 'vitest'
import type { Book } from '#shared/book.ts'
import { setLanguageOfRequest } from '#web/i18n/language.ts'
import {
  bookFacts,
  bookStructuredData,
  descriptionText,
  factsLine,
  publishedText,
} from './book-facts.ts'

const unknownBook: Book = {
  id: 'b1',
  ids: {},
  title: 'Emma',
  authors: [],
  genres: [],
  image_links: [],
  page_count: 0,
  isbns: {},
  description: '',
  published_date: '',
  publisher: '',
  language: '',
  slug: 'emma',
}

test('a date is shown as exactly as it is known', () => {
  expect(publishedText('2004-04-29', 'Oxford University Press')).toBe(
    'April 29, 2004 by Oxford University Press',
  )
  expect(publishedText('2004-04', '')).toBe('April 2004')
  expect(publishedText('2004', 'Penguin Classics')).toBe('2004 by Penguin Classics')
  expect(publishedText('', 'Penguin Classics')).toBe('Penguin Classics')
  expect(publishedText('2004-13-01', '')).toBe('2004')
  expect(publishedText('long ago', '')).toBe('Unknown')
})

test('a description ends in a full stop, whatever its script', () => {
  expect(descriptionText('A town of matchmakers')).toBe('A town of matchmakers.')
  for (const finished of ['Who did it?', '“Never.”', '雪国へ。', '「行こう。」', 'چرا؟', 'And so…'])
    expect(descriptionText(finished)).toBe(finished)
  expect(descriptionText('  ')).toBe('No information available.')
})

test('what is not known is said to be unknown', () => {
  expect(bookFacts(unknownBook)).toEqual([
    { label: 'Pages', text: 'Unknown' },
    { label: 'Language', text: 'Unknown' },
    { label: 'Published', text: 'Unknown', isLong: true },
    { label: 'ISBN', text: 'Unknown', isLong: true },
  ])
})

test('the line below the authors has only what is known', () => {
  expect(factsLine(unknownBook)).toBe('')
  const known = { page_count: 625, published_date: '2001-05-03', publisher: 'Penguin' }
  expect(factsLine({ ...unknownBook, ...known })).toBe('625 pages · 2001 · Penguin')
})

test('search engines are told only what is known', () => {
  const told: unknown = JSON.parse(
    JSON.stringify(bookStructuredData(unknownBook, 'https://octavo.example/book/emma')),
  )
  expect(told).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Book',
    name: 'Emma',
    url: 'https://octavo.example/book/emma',
    author: [],
  })
})

test('both ISBNs are told in the language of the page', () => {
  const isbns = { ISBN_10: '0141439580', ISBN_13: '9780141439587' }
  const book = { ...unknownBook, isbns }
  const facts = () => bookFacts(book).map(({ text }) => text)
  expect(facts()).toContain('9780141439587 (ISBN10: 0141439580)')
  setLanguageOfRequest(() => 'de')
  onTestFinished(() => setLanguageOfRequest(() => 'en'))
  expect(facts()).toContain('9780141439587 (ISBN-10: 0141439580)')
  expect(bookFacts({ ...book, isbns: { ISBN_10: '0141439580' } })[3]?.text).toBe('0141439580')
})
