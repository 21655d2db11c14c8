import type { Visibility } from '#shared/bookshelf.ts'
import type { Status } from '#shared/user-book.ts'

export interface DemoShelf {
  name: string
  visibility: Visibility
  /** The curated section that the books come from, and how many of them. */
  from: 'classics' | 'manga'
  books: number
  /** The books' statuses, in the order in which the books were added. */
  statuses: readonly Status[]
}

export interface DemoReader {
  username: string
  name: string
  /** Days since the account was made. */
  since: number
  isPrivate?: boolean
  shelves: readonly DemoShelf[]
}

const read = ['completed'] as const
const current = ['paused', 'reading', 'reading'] as const
const wished = ['planning'] as const
const mixed = [
  'completed',
  'completed',
  'dropped',
  'completed',
  'paused',
  'reading',
  'planning',
] as const

/** The first one is the account to sign in with. */
export const readers: readonly [DemoReader, ...DemoReader[]] = [
  {
    username: 'lamplight',
    name: 'Lamplight',
    since: 42,
    shelves: [
      {
        name: 'On the nightstand',
        visibility: 'public',
        from: 'classics',
        books: 3,
        statuses: current,
      },
      {
        name: 'Finished and kept',
        visibility: 'public',
        from: 'classics',
        books: 14,
        statuses: read,
      },
      { name: 'Manga evenings', visibility: 'public', from: 'manga', books: 9, statuses: mixed },
      {
        name: 'For a rainy week',
        visibility: 'private',
        from: 'classics',
        books: 6,
        statuses: wished,
      },
    ],
  },
  {
    username: 'inkwell',
    name: 'Inkwell',
    since: 38,
    shelves: [
      {
        name: 'The long winter',
        visibility: 'public',
        from: 'classics',
        books: 8,
        statuses: mixed,
      },
      { name: 'Next in line', visibility: 'public', from: 'classics', books: 5, statuses: wished },
    ],
  },
  {
    username: 'paper.crane',
    name: 'Paper Crane',
    since: 31,
    shelves: [
      { name: 'Volume by volume', visibility: 'public', from: 'manga', books: 12, statuses: mixed },
      { name: 'Next volumes', visibility: 'public', from: 'manga', books: 4, statuses: wished },
    ],
  },
  {
    username: 'dog-ear',
    name: 'Dog-Ear',
    since: 27,
    shelves: [
      {
        name: 'Half read',
        visibility: 'public',
        from: 'classics',
        books: 5,
        statuses: ['dropped', 'paused', 'paused', 'reading', 'reading'],
      },
      { name: 'Secret favourites', visibility: 'private', from: 'manga', books: 5, statuses: read },
    ],
  },
  {
    username: 'marginalia',
    name: 'Marginalia',
    since: 21,
    shelves: [
      { name: 'Annotated', visibility: 'public', from: 'classics', books: 10, statuses: read },
    ],
  },
  {
    username: 'slow_reader',
    name: 'Slow Reader',
    since: 18,
    shelves: [
      {
        name: 'One page a day',
        visibility: 'public',
        from: 'classics',
        books: 2,
        statuses: ['reading'],
      },
    ],
  },
  {
    username: 'panel-by-panel',
    name: 'Panel by Panel',
    since: 12,
    shelves: [
      {
        name: 'Started this month',
        visibility: 'public',
        from: 'manga',
        books: 7,
        statuses: ['completed', 'completed', 'paused', 'reading', 'reading'],
      },
    ],
  },
  {
    username: 'closed-book',
    name: 'Closed Book',
    since: 9,
    isPrivate: true,
    shelves: [
      {
        name: 'Nobody sees this',
        visibility: 'public',
        from: 'classics',
        books: 4,
        statuses: read,
      },
    ],
  },
]
