import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { noFilter } from '#shared/book-filter.ts'
import type { UserBook } from '#shared/user-book.ts'
import { keys, staleQueries } from './query-keys.ts'
import { applyEvent } from './realtime.ts'

const emma = {
  id: 'b1',
  user: 'ann',
  shelf: 's1',
  status: 'reading',
  title: 'Emma',
  authors: ['Jane Austen'],
  isbn: '',
  progress: 10,
  updated: '2026-01-01 00:00:00.000Z',
  expand: { shelf: { id: 's1', name: 'Winter', visibility: 'public' } },
} as unknown as UserBook
const shelfBooks = [...keys.booksOnShelf('s1', '-rating'), 1]

function cacheOf(books: UserBook[]): QueryClient {
  const queries = new QueryClient()
  queries.setQueryData(shelfBooks, { items: books, totalItems: books.length })
  return queries
}

const shown = (queries: QueryClient) =>
  queries.getQueryData<{ items: UserBook[] }>(shelfBooks)?.items

/** What the server sends of it: no relations. */
const { expand: _, ...unchanged } = emma
const sent = { ...unchanged, updated: '2026-01-02 00:00:00.000Z' }

const tell = (queries: QueryClient, record: object, action = 'update') =>
  applyEvent(queries, 'user_books', { action, record })

describe('an event of a book', () => {
  test('shows on lists at once, and has what its collection touches fetched', () => {
    const queries = cacheOf([emma])
    expect(tell(queries, { ...sent, progress: 57 })).toEqual(staleQueries.user_books)
    expect(shown(queries)).toEqual([{ ...emma, ...sent, progress: 57 }])
  })

  test('that says what an edit made here was answered has nothing fetched', () => {
    const queries = cacheOf([{ ...emma, ...sent, progress: 57 }])
    expect(tell(queries, { ...sent, progress: 57 })).toEqual([])
  })

  test('that is older than the answer to an edit made here is left out', () => {
    const queries = cacheOf([{ ...emma, progress: 57 }])
    expect(tell(queries, { ...sent, updated: '2025-12-31 00:00:00.000Z' })).toEqual([])
    expect(shown(queries)).toEqual([{ ...emma, progress: 57 }])
  })

  test('leaves a list that was fetched after a later change, and changes another', () => {
    const later = { ...emma, progress: 80, updated: '2026-01-03 00:00:00.000Z' }
    const queries = cacheOf([later])
    const all = [...keys.booksOfReader('ann', noFilter), 1]
    queries.setQueryData(all, { items: [emma], totalItems: 1 })
    expect(tell(queries, { ...sent, progress: 57 })).toContain('books')
    expect(shown(queries)).toEqual([later])
    expect(queries.getQueryData(all)).toMatchObject({ items: [{ progress: 57 }] })
  })

  test('leaves a list stale that another event has made stale', async () => {
    const queries = cacheOf([emma])
    await queries.invalidateQueries({ queryKey: shelfBooks })
    tell(queries, { ...sent, progress: 57 })
    expect(queries.getQueryState(shelfBooks)?.isInvalidated).toBe(true)
  })

  test('shows its rating in the timeline', () => {
    const queries = cacheOf([emma])
    const entries = [{ id: 'e1', book: 'b1', expand: { book: { rating: 0 } } }, { id: 'e2' }]
    queries.setQueryData(keys.timeline('ann'), { entries, hasMore: false })
    tell(queries, { ...sent, rating: 8 })
    expect(queries.getQueryData(keys.timeline('ann'))).toMatchObject({
      entries: [{ expand: { book: { rating: 8 } } }, { id: 'e2' }],
    })
  })

  test.each([
    ['a book on no list', 'update'],
    ['a new book', 'create'],
    ['a deleted book', 'delete'],
  ])('has the lists fetched: %s', (_name, action) => {
    const record = { ...sent, id: action === 'delete' ? 'b1' : 'b2' }
    expect(tell(cacheOf([emma]), record, action)).toContain('books')
  })
})

describe('an event of a shelf', () => {
  test('shows its count at once, and has its lists fetched', () => {
    const winter = { id: 's1', user: 'ann', name: 'Winter', visibility: 'public', book_count: 1 }
    const queries = new QueryClient()
    const list = keys.shelves('ann', {})
    queries.setQueryData(list, { pages: [{ items: [winter] }], pageParams: [1] })
    queries.setQueryData(keys.shelf('s1'), winter)
    const event = { action: 'update', record: { ...winter, book_count: 2 } }
    expect(applyEvent(queries, 'bookshelves', event)).toEqual(staleQueries.bookshelves)
    expect(queries.getQueryData(list)).toMatchObject({ pages: [{ items: [{ book_count: 2 }] }] })
    expect(queries.getQueryData(keys.shelf('s1'))).toMatchObject({ book_count: 2 })
  })
})

describe('an event of the timeline', () => {
  const entry = (n: number) => ({
    id: `e${n}`,
    user: 'ann',
    created: `2026-01-0${n} 00:00:00.000Z`,
  })
  const ids = (queries: QueryClient) =>
    queries
      .getQueryData<{ entries: { id: string }[] }>(keys.timeline('ann'))
      ?.entries.map(({ id }) => id)

  test.each([
    ['a new entry comes first', 'create', entry(9), ['e9', 'e5', 'e3']],
    ['one that was restored stands where it was', 'create', entry(4), ['e5', 'e4', 'e3']],
    ['one that is of today now moves', 'update', { ...entry(9), id: 'e3' }, ['e3', 'e5']],
    ['a deleted one goes', 'delete', entry(5), ['e3']],
    ['one beyond those loaded waits', 'create', entry(1), ['e5', 'e3']],
  ])('%s', (_name, action, record, expected) => {
    const queries = new QueryClient()
    queries.setQueryData(keys.timeline('ann'), { entries: [entry(5), entry(3)], hasMore: true })
    expect(applyEvent(queries, 'activities', { action, record })).toEqual([])
    expect(ids(queries)).toEqual(expected)
  })
})
