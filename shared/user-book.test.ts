import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bookSlug, languageName, parseBookSlug } from './book.ts'
import { shelfForm } from './bookshelf.ts'
import { ruleInEnglish } from './english.ts'
import { progressPercent } from './reading-position.ts'
import { refusalOf } from './rule.ts'
import { searchForm } from './search-form.ts'
import { userBookFields, userBookForm } from './user-book-form.ts'
import { bookKey } from './user-book.ts'

const book = { title: 'Emma', status: 'reading', shelf: 'abcdefghijklmno' }

/** The sentence at a field, or undefined when it is accepted. */
function sentence(
  form: typeof userBookForm | typeof searchForm | typeof shelfForm,
  value: unknown,
  field: string,
) {
  const found = form.safeParse(value).error?.issues.find(({ path }) => path[0] === field)
  return found && ruleInEnglish(refusalOf(found))
}

describe('a book on a shelf', () => {
  it('starts unread, unrated and without pages', () =>
    expect(userBookForm.parse(book)).toMatchObject({
      page_count: 0,
      progress: 0,
      rating: 0,
      isbn: '',
    }))

  it.each([
    ['title', { title: '  ' }, 'Title is required and cannot be empty.'],
    ['title', { title: undefined }, 'Title is required and cannot be empty.'],
    ['progress', { progress: -1 }, 'Progress must be greater than or equal to 0.'],
    [
      'progress',
      { progress: 475, page_count: 474 },
      'Progress cannot exceed the total page count.',
    ],
    ['rating', { rating: -0.5 }, 'Rating must be at least 0.'],
    ['rating', { rating: 10.5 }, 'Rating must be at most 10.'],
    [
      'status',
      { status: 'read' },
      'Status must be one of: completed, reading, paused, dropped, or planning.',
    ],
    ['shelf', { shelf: '' }, 'Shelf is required.'],
    ['isbn', { isbn: '978014143958' }, 'ISBN must be a valid 10 or 13-digit number.'],
  ])('refuses a wrong %s', (field, change, message) =>
    expect(sentence(userBookForm, { ...book, ...change }, field)).toBe(message),
  )

  it('takes whole pages in forms, and anything of at least 0 from the API', () => {
    const exact = { ...book, page_count: 312.5, progress: 57.5, rating: 7.3 }
    expect(userBookForm.parse(exact)).toMatchObject(exact)
    const { issues = [] } = userBookFields.safeParse(exact).error ?? {}
    expect(issues.map((issue) => ruleInEnglish(refusalOf(issue)))).toEqual([
      'Page count must be a whole number.',
      'Progress must be a whole number.',
    ])
  })

  it('of unknown length takes any page', () =>
    expect(sentence(userBookForm, { ...book, progress: 700 }, 'progress')).toBeUndefined())

  it('is the same by either ISBN, and by folded title and author without one', () => {
    expect(bookKey({ isbn: '0141439580', title: 'x', authors: [] })).toBe(
      bookKey({ isbn: '9780141439587', title: 'y', authors: [] }),
    )
    expect(bookKey({ isbn: '', title: 'Les Misérables', authors: ['Victor Hugo'] })).toBe(
      bookKey({ isbn: '', title: 'LES MISERABLES', authors: ['Victor  Hugo'] }),
    )
    const keys = [
      { isbn: '0141439580', title: 'Emma', authors: ['Jane Austen'] },
      { isbn: '', title: 'Emma', authors: ['Jane Austen'] },
      { isbn: '', title: 'Emma', authors: ['F. W. Kenyon'] },
      { isbn: '', title: 'Emma', authors: [] },
    ].map(bookKey)
    expect(new Set(keys).size).toBe(4)
  })

  it('is read by a percentage from 0 to 100', () =>
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (progress, pages) => {
        const percent = progressPercent(progress, pages)
        expect(percent).toBeGreaterThanOrEqual(0)
        expect(percent).toBeLessThanOrEqual(100)
        expect(percent > 0).toBe(progress > 0 && pages > 0)
      }),
    ))
})

describe('a shelf', () => {
  it.each([
    [{ name: ' TBR ' }, 'name', 'Name must be at least 4 characters long.'],
    [{ name: 'x'.repeat(101) }, 'name', 'Name cannot exceed 100 characters.'],
    [{ visibility: 'friends' }, 'visibility', "Visibility must be either 'public' or 'private'."],
  ])('%j is refused', (change, field, message) =>
    expect(sentence(shelfForm, { name: 'Gothic', visibility: 'public', ...change }, field)).toBe(
      message,
    ),
  )
  it('may be named in two kanji', () =>
    expect(sentence(shelfForm, { name: '漫画', visibility: 'public' }, 'name')).toBeUndefined())
})

describe('a search', () => {
  it.each([
    [{}, 'q', 'Search field and advanced filters both cannot be empty.'],
    [{ q: 'It' }, 'q', 'Search text must be at least 3 characters long.'],
    [{ q: 'x'.repeat(256) }, 'q', 'Search text must be less than 255 characters.'],
    [{ title: 'x' }, 'title', 'Title must be at least 2 characters long.'],
    [{ author: 'x'.repeat(256) }, 'author', 'Author must be less than 255 characters.'],
    [{ isbn: '123' }, 'isbn', 'ISBN must be a valid 10 or 13-digit number.'],
  ])('%j is refused', (form, field, message) =>
    expect(sentence(searchForm, form, field)).toBe(message),
  )
  it('accepts two kanji', () => expect(sentence(searchForm, { q: '雪国' }, 'q')).toBeUndefined())
})

describe('a book’s address', () => {
  it('is title and ISBN', () =>
    expect(bookSlug(' The  Time Machine', '9780141439976')).toBe('the-time-machine-9780141439976'))
  it('is read back whatever the title', () =>
    fc.assert(
      fc.property(
        fc
          .string({ unit: 'grapheme', minLength: 1 })
          .filter((t) => t.trim() !== '' && t.isWellFormed()),
        (title) => {
          expect(parseBookSlug(bookSlug(title, '9780141439976')).isbn).toBe('9780141439976')
        },
      ),
    ))
  it('keeps the X of an ISBN-10', () =>
    expect(parseBookSlug('emma-014197382x')).toEqual({ isbn: '014197382X', title: 'emma' }))
})

it('names fourteen languages', () => {
  expect(languageName('jpn', 'en')).toBe('Japanese')
  expect(languageName('FA', 'en')).toBe('Persian')
  expect(languageName('ger', 'fr')).toBe('allemand')
  expect(languageName('tlh', 'en')).toBe('')
})
