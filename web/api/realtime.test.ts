import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { noFilter } from '#shared/book-filter.ts'
import type { UserBook } from '#shared/user-book.ts'
import { keys } from './query-keys.ts'
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
const isStale = (queries: QueryClient, key: readonly unknown[]) =>
  queries.getQueryState(key)?.isInvalidated

describe('an event of a book', () => {
  test('shows on lists at once, which are not fetched again', () => {
    const queries = cacheOf([emma])
    const stale = applyEvent(queries, 'user_books', {
      action: 'update',
      record: { ...sent, progress: 57 },
    })
    expect(stale).not.toContain('books')
    expect(stale).toContain('profile')
    expect(shown(queries)).toEqual([{ ...emma, ...sent, progress: 57 }])
    expect(isStale(queries, shelfBooks)).toBe(false)
  })

  test('that was answered to an edit here meanwhile is left out', () => {
    const queries = cacheOf([{ ...emma, progress: 57 }])
    const record = { ...sent, updated: '2025-12-31 00:00:00.000Z' }
    expect(applyEvent(queries, 'user_books', { action: 'update', record })).toEqual([])
    expect(shown(queries)).toEqual([{ ...emma, progress: 57 }])
    expect(applyEvent(queries, 'user_books', { action: 'update', record: emma })).not.toEqual([])
    expect(applyEvent(queries, 'user_books', { action: 'update', record: emma })).toEqual([])
  })

  test('takes a finished book from those being read, and puts one that is read first', () => {
    const [walden, dune] = ['Walden', 'Dune'].map((title) => ({ ...emma, id: title, title }))
    const queries = cacheOf([emma, walden!, dune!])
    const reading = keys.readingNow('ann')
    queries.setQueryData(reading, [walden, emma])
    const ids = () => queries.getQueryData<UserBook[]>(reading)?.map(({ id }) => id)
    const tell = (record: object) => applyEvent(queries, 'user_books', { action: 'update', record })
    tell({ ...sent, progress: 57 })
    expect(ids()).toEqual(['b1', 'Walden'])
    expect(tell({ ...sent, status: 'completed' })).toContain('diary')
    expect(ids()).toEqual(['Walden'])
    tell({ ...sent, status: 'reading' })
    expect(ids()).toEqual(['b1', 'Walden'])
    expect(isStale(queries, reading)).toBe(false)
  })

  test('leaves a list stale that another event has made stale', () => {
    const walden = { ...emma, id: 'Walden', title: 'Walden' }
    const queries = cacheOf([emma, walden])
    const list = [...keys.booksOfReader('ann', { ...noFilter, status: ['reading'] }), 1]
    queries.setQueryData(list, { items: [emma, walden], totalItems: 2 })
    const tell = (record: object) => applyEvent(queries, 'user_books', { action: 'update', record })
    tell({ ...sent, status: 'paused' })
    tell({ ...walden, ...sent, id: 'Walden', title: 'Walden', progress: 57 })
    expect(isStale(queries, list)).toBe(true)
  })

  test.each([
    ['all', noFilter, false],
    ['those read', { ...noFilter, status: ['completed' as const] }, true],
    ['those of a tag', { ...noFilter, tag: 'gothic' }, false],
    ['the best', { ...noFilter, rating: [8, 10] as const, sort: 'title' as const }, false],
  ])('with another status makes a list stale that is chosen by it: %s', (_name, filter, stale) => {
    const queries = cacheOf([emma])
    const list = [...keys.booksOfReader('ann', filter), 1]
    queries.setQueryData(list, { items: [emma], totalItems: 1 })
    const record = { ...sent, status: 'completed' }
    const names = applyEvent(queries, 'user_books', { action: 'update', record })
    expect(names).not.toContain('books')
    expect(isStale(queries, list)).toBe(stale)
  })

  test.each([
    ['another shelf', 'update', { ...sent, shelf: 's2' }],
    ['another author', 'update', { ...sent, authors: ['Jane', 'Austen'] }],
    ['a book on no list', 'update', { ...sent, id: 'b2' }],
    ['a new book', 'create', { ...sent, id: 'b2' }],
    ['a deleted book', 'delete', sent],
  ])('has the lists fetched: %s', (_name, action, record) => {
    const queries = cacheOf([emma])
    expect(applyEvent(queries, 'user_books', { action, record })).toContain('books')
  })

  test('takes a book from a list that was fetched before the change, though another has it', () => {
    const record = { ...sent, status: 'completed' }
    const queries = cacheOf([{ ...emma, ...record } as UserBook])
    const list = [...keys.booksOfReader('ann', { ...noFilter, status: ['reading' as const] }), 1]
    queries.setQueryData(list, { items: [emma], totalItems: 1 })
    expect(applyEvent(queries, 'user_books', { action: 'update', record })).toContain('diary')
    expect(isStale(queries, list)).toBe(true)
  })

  test('leaves a list that was fetched after a later change', () => {
    const later = { ...emma, progress: 80, updated: '2026-01-03 00:00:00.000Z' }
    const queries = cacheOf([later])
    const all = [...keys.booksOfReader('ann', noFilter), 1]
    queries.setQueryData(all, { items: [emma], totalItems: 1 })
    applyEvent(queries, 'user_books', { action: 'update', record: { ...sent, progress: 57 } })
    expect(shown(queries)).toEqual([later])
    expect(queries.getQueryData(all)).toMatchObject({ items: [{ progress: 57 }] })
  })

  test('makes a list that goes by progress stale, though nobody looks at it', () => {
    const queries = cacheOf([emma])
    const half = { ...noFilter, progress: [50, 100] as const }
    const byProgress = [...keys.booksOfReader('ann', half), 1]
    const all = [...keys.booksOfReader('ann', noFilter), 1]
    for (const key of [byProgress, all]) queries.setQueryData(key, { items: [] })
    const record = { ...sent, progress: 57, progress_average: 18 }
    applyEvent(queries, 'user_books', { action: 'update', record })
    expect(isStale(queries, byProgress)).toBe(true)
    expect(isStale(queries, all)).toBe(false)
  })

  test('that comes while a list is fetched has it fetched again', async () => {
    const queries = cacheOf([emma])
    let answer: (value: unknown) => void = () => undefined
    const fetched = queries.fetchQuery({
      queryKey: shelfBooks,
      queryFn: () => new Promise((resolve) => (answer = resolve)),
    })
    const event = { action: 'update', record: { ...sent, progress: 57 } }
    expect(applyEvent(queries, 'user_books', event)).toContain('books')
    answer({ items: [] })
    await fetched
  })
})

describe('an event of a shelf', () => {
  const winter = { id: 's1', user: 'ann', name: 'Winter', visibility: 'public', book_count: 1 }

  test('shows its count at once, and has nothing fetched', () => {
    const queries = new QueryClient()
    const list = keys.shelves('ann', {})
    queries.setQueryData(list, { pages: [{ items: [winter] }], pageParams: [1] })
    queries.setQueryData(keys.shelf('s1'), winter)
    const record = { ...winter, book_count: 2 }
    expect(applyEvent(queries, 'bookshelves', { action: 'update', record })).toEqual([])
    expect(queries.getQueryData(list)).toMatchObject({ pages: [{ items: [{ book_count: 2 }] }] })
    expect(queries.getQueryData(keys.shelf('s1'))).toMatchObject({ book_count: 2 })
  })

  test('has nothing fetched where only its name is known', () => {
    const queries = new QueryClient()
    const { id, name, visibility } = winter
    queries.setQueryData(keys.shelfNames('ann'), [{ id, name, visibility }])
    const event = { action: 'update', record: { ...winter, book_count: 2 } }
    expect(applyEvent(queries, 'bookshelves', event)).toEqual([])
  })

  test('with another name has the lists fetched', () => {
    const queries = new QueryClient()
    queries.setQueryData(keys.shelf('s1'), winter)
    const event = { action: 'update', record: { ...winter, name: 'Summer' } }
    expect(applyEvent(queries, 'bookshelves', event)).toContain('shelves')
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
