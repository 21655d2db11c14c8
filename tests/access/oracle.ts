/** What filters, sorts and relations mean, said without SQL. */

import { sortKey } from '#shared/sort-key.ts'
import type { AnyRecord, CollectionName, Visibility } from './random-library.ts'

export type Predicate = (item: AnyRecord, visibility: Visibility) => boolean
/** A filter and what it means. `$w` is a word, `$n` a number. */
type Probe = [filter: string, holds: (w: string, n: number) => Predicate]

const textOf = (item: AnyRecord | undefined, field: string) => {
  const value = item?.[field]
  return typeof value === 'string' ? value : ''
}
const keyOf = (item: AnyRecord | undefined, field: string) => sortKey(textOf(item, field))
const has = (item: AnyRecord | undefined, field: string, w: string) =>
  textOf(item, field).includes(w)
const shelfOf: (item: AnyRecord, visibility: Visibility) => AnyRecord | undefined = (
  item,
  { one },
) => one('bookshelves', item['shelf'])
const settings = (user: unknown, { via }: Visibility) => via('settings', 'user', String(user))

export const probes: Record<CollectionName, Probe[]> = {
  users: [
    ['username != ""', () => () => true],
    ['email ~ "example"', () => () => false],
    ['email:lower != "x" || username = ""', () => () => false],
    [
      'bookshelves_via_user.name ?~ "$w"',
      (w) => (item, s) => s.via('bookshelves', 'user', item.id).some((x) => has(x, 'name', w)),
    ],
    [
      'bookshelves_via_user.visibility ?= "private"',
      () => (item, s) =>
        s.via('bookshelves', 'user', item.id).some((x) => x['visibility'] === 'private'),
    ],
    [
      'user_books_via_user.title ?!~ "$w"',
      (w) => (item, s) => s.via('user_books', 'user', item.id).some((x) => !has(x, 'title', w)),
    ],
    [
      'user_books_via_user.rating > $n',
      (_, n) => (item, s) => {
        const books = s.via('user_books', 'user', item.id)
        return books.length > 0 && books.every((x) => Number(x['rating']) > n)
      },
    ],
    [
      'activities_via_user.book.title ?~ "$w"',
      (w) => (item, s) =>
        s
          .via('activities', 'user', item.id)
          .some((x) => has(s.one('user_books', x['book']), 'title', w)),
    ],
    [
      'settings_via_user.isPrivate = false',
      () => (item, s) => settings(item.id, s).some((x) => x['isPrivate'] === false),
    ],
    [
      'settings_via_user.isPrivate != false',
      // Settings that may not be seen are as if there were none, which are not false either.
      () => (item, s) => settings(item.id, s).every((x) => x['isPrivate'] !== false),
    ],
    [
      'bookshelves_via_user.id = ""',
      () => (item, s) => !s.via('bookshelves', 'user', item.id).length,
    ],
    [
      'subscriptions_via_user.status = "active"',
      () => (item, s) => s.via('subscriptions', 'user', item.id).length > 0,
    ],
  ],
  profile: [
    [
      'isPrivate = true',
      // Others' profiles are seen when they are public; without settings one's own is private.
      () => (item, s) =>
        item.id === s.viewer && settings(item.id, s).every((x) => x['isPrivate'] === true),
    ],
    ['books_count > $n', (_, n) => (item, s) => s.via('user_books', 'user', item.id).length > n],
    [
      'shelves_count = $n',
      (_, n) => (item, s) => s.via('bookshelves', 'user', item.id).length === n,
    ],
    [
      'average_rating >= $n',
      (_, n) => (item, s) => {
        const ratings = s.via('user_books', 'user', item.id).map((x) => Number(x['rating']))
        return ratings.reduce((a, b) => a + b, 0) / Math.max(ratings.length, 1) >= n
      },
    ],
  ],
  settings: [
    ['isPrivate = true', () => (item) => item['isPrivate'] === true],
    ['user.username != ""', () => () => true],
    ['user != ""', () => () => true],
  ],
  subscriptions: [
    ['status = "active"', () => () => true],
    ['user.email ~ "@"', () => () => false],
  ],
  bookshelves: [
    ['name ~ "$w"', (w) => (item) => has(item, 'name', w)],
    ['visibility = "private"', () => (item) => item['visibility'] === 'private'],
    [
      'user_books_via_shelf.title ?~ "$w"',
      (w) => (item, s) => s.via('user_books', 'shelf', item.id).some((x) => has(x, 'title', w)),
    ],
    [
      'user_books_via_shelf.rating ?> $n',
      (_, n) => (item, s) =>
        s.via('user_books', 'shelf', item.id).some((x) => Number(x['rating']) > n),
    ],
    [
      'user_books_via_shelf.id = ""',
      () => (item, s) => !s.via('user_books', 'shelf', item.id).length,
    ],
    [
      'activities_via_shelf.data.title ?~ "$w"',
      (w) => (item, s) =>
        s.via('activities', 'shelf', item.id).some((x) => has(x['data'] as AnyRecord, 'title', w)),
    ],
    [
      'user.bookshelves_via_user.name ?~ "$w"',
      (w) => (item, s) =>
        s.via('bookshelves', 'user', String(item['user'])).some((x) => has(x, 'name', w)),
    ],
    [
      'user.settings_via_user.isPrivate = false',
      () => (item, s) => settings(item['user'], s).some((x) => x['isPrivate'] === false),
    ],
    ['user.email != ""', () => () => false],
  ],
  user_books: [
    ['title ~ "$w"', (w) => (item) => has(item, 'title', w)],
    ['rating <= $n', (_, n) => (item) => Number(item['rating']) <= n],
    ['shelf.name ~ "$w"', (w) => (item, s) => has(shelfOf(item, s), 'name', w)],
    [
      'shelf.visibility = "private"',
      () => (item, s) => shelfOf(item, s)?.['visibility'] === 'private',
    ],
    [
      'shelf.user_books_via_shelf.title ?~ "$w"',
      (w) => (item, s) =>
        s.via('user_books', 'shelf', String(item['shelf'])).some((x) => has(x, 'title', w)),
    ],
    [
      'activities_via_book.isPrivate ?= true',
      () => (item, s) => s.via('activities', 'book', item.id).some((x) => x['isPrivate'] === true),
    ],
  ],
  activities: [
    ['data.title ~ "$w"', (w) => (item) => has(item['data'] as AnyRecord, 'title', w)],
    ['isPrivate = true', () => (item) => item['isPrivate'] === true],
    ['book.title ~ "$w"', (w) => (item, s) => has(s.one('user_books', item['book']), 'title', w)],
    ['shelf.name ~ "$w"', (w) => (item, s) => has(shelfOf(item, s), 'name', w)],
    [
      'book.shelf.name ~ "$w"',
      (w) => (item, s) => {
        const book = s.one('user_books', item['book'])
        return book !== undefined && has(shelfOf(book, s), 'name', w)
      },
    ],
    [
      'user.user_books_via_user.title ?~ "$w"',
      (w) => (item, s) =>
        s.via('user_books', 'user', String(item['user'])).some((x) => has(x, 'title', w)),
    ],
  ],
}

export type Key = (item: AnyRecord, visibility: Visibility) => string | number
const related = (field: string, items: AnyRecord[], last: boolean) => {
  const texts = items.map((x) => sortKey(String(x[field]))).sort()
  return (last ? texts.at(-1) : texts[0]) ?? ''
}
/** What can be sorted by, in both directions. */
export const sorts: Record<CollectionName, Record<string, (descending: boolean) => Key>> = {
  users: {
    username: () => (item) => keyOf(item, 'username'),
    'user_books_via_user.title': (down) => (item, s) =>
      related('title', s.via('user_books', 'user', item.id), down),
    'bookshelves_via_user.visibility': (down) => (item, s) =>
      related('visibility', s.via('bookshelves', 'user', item.id), down),
  },
  profile: {
    books_count: () => (item, s) => s.via('user_books', 'user', item.id).length,
    shelves_count: () => (item, s) => s.via('bookshelves', 'user', item.id).length,
  },
  settings: { isPrivate: () => (item) => Number(item['isPrivate']) },
  subscriptions: { status: () => (item) => String(item['status']) },
  bookshelves: {
    name: () => (item) => keyOf(item, 'name'),
    visibility: () => (item) => String(item['visibility']),
    'user.username': () => (item, s) => keyOf(s.one('users', item['user']), 'username'),
    'user_books_via_shelf.title': (down) => (item, s) =>
      related('title', s.via('user_books', 'shelf', item.id), down),
  },
  user_books: {
    rating: () => (item) => Number(item['rating']),
    'shelf.name': () => (item, s) => keyOf(shelfOf(item, s), 'name'),
    'shelf.visibility': () => (item, s) => textOf(shelfOf(item, s), 'visibility'),
  },
  activities: {
    isPrivate: () => (item) => Number(item['isPrivate']),
    'book.title': () => (item, s) => keyOf(s.one('user_books', item['book']), 'title'),
    'book.shelf.name': () => (item, s) => {
      const book = s.one('user_books', item['book'])
      return book ? keyOf(shelfOf(book, s), 'name') : ''
    },
  },
}

type Expanded = (item: AnyRecord, visibility: Visibility) => string | string[] | undefined
const forward =
  (field: string, target: CollectionName): Expanded =>
  (item, { one }) =>
    one(target, item[field])?.id
const back =
  (target: CollectionName, field: string): Expanded =>
  (item, { via }) => {
    const ids = via(target, field, item.id).map((x) => x.id)
    return ids.length ? ids.sort() : undefined
  }
const single =
  (target: CollectionName): Expanded =>
  (item, { via }) =>
    via(target, 'user', item.id)[0]?.id
const ofReader = {
  bookshelves_via_user: back('bookshelves', 'user'),
  user_books_via_user: back('user_books', 'user'),
  activities_via_user: back('activities', 'user'),
  settings_via_user: single('settings'),
  subscriptions_via_user: single('subscriptions'),
}
/** What a relation leads to: an id, several in order, or nothing. */
export const expands: Record<CollectionName, Record<string, Expanded>> = {
  users: ofReader,
  profile: {},
  settings: { user: forward('user', 'users') },
  subscriptions: { user: forward('user', 'users') },
  bookshelves: {
    user: forward('user', 'users'),
    user_books_via_shelf: back('user_books', 'shelf'),
    activities_via_shelf: back('activities', 'shelf'),
  },
  user_books: {
    user: forward('user', 'users'),
    shelf: forward('shelf', 'bookshelves'),
    activities_via_book: back('activities', 'book'),
  },
  activities: {
    user: forward('user', 'users'),
    book: forward('book', 'user_books'),
    shelf: forward('shelf', 'bookshelves'),
  },
}
