import type { Visibility } from '#shared/bookshelf.ts'
import type { Status } from '#shared/user-book.ts'
import { adventureReads, gothicReads, mangaReads, type DemoRead } from './demo-reads.ts'

export interface DemoShelf {
  name: string
  visibility: Visibility
  /** The curated section that the books come from, and how many of them. */
  from: 'classics' | 'manga'
  books: number
  /** The books' statuses, in the order in which the books were added. */
  statuses: readonly Status[]
}

/** What a reader finished and dropped, from years ago until lately. */
export interface DemoYears {
  /** The public shelf that the books are on. */
  shelf: string
  /** In the order in which they were read. */
  reads: readonly DemoRead[]
  /** Pages a day. */
  pace: number
  /** Books to finish this year. */
  goal: number
}

export interface DemoReader {
  username: string
  name: string
  /** Days since the account was made. */
  since: number
  years?: DemoYears
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

/** Nobody should take what they say for a person's. */
const demo = (name: string) => `${name} (demo)`

/** The first one is the account to sign in with. */
export const readers: readonly [DemoReader, ...DemoReader[]] = [
  {
    username: 'lamplight',
    name: demo('Lamplight'),
    since: 42,
    years: { shelf: 'Finished and kept', reads: gothicReads, pace: 30, goal: 30 },
    shelves: [
      {
        name: 'On the nightstand',
        visibility: 'public',
        from: 'classics',
        books: 3,
        statuses: current,
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
    name: demo('Inkwell'),
    since: 38,
    years: { shelf: 'The long way to work', reads: adventureReads, pace: 17, goal: 16 },
    shelves: [
      {
        name: 'In the bag',
        visibility: 'public',
        from: 'classics',
        books: 2,
        statuses: ['reading'],
      },
      { name: 'Next in line', visibility: 'public', from: 'classics', books: 5, statuses: wished },
    ],
  },
  {
    username: 'paper.crane',
    name: demo('Paper Crane'),
    since: 31,
    years: { shelf: 'Volume by volume', reads: mangaReads, pace: 17, goal: 24 },
    shelves: [
      {
        name: 'Open on the sofa',
        visibility: 'public',
        from: 'manga',
        books: 3,
        statuses: current,
      },
      { name: 'Next volumes', visibility: 'public', from: 'manga', books: 4, statuses: wished },
    ],
  },
  {
    username: 'dog-ear',
    name: demo('Dog-Ear'),
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
    name: demo('Marginalia'),
    since: 21,
    shelves: [
      { name: 'Annotated', visibility: 'public', from: 'classics', books: 10, statuses: read },
    ],
  },
  {
    username: 'slow_reader',
    name: demo('Slow Reader'),
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
    name: demo('Panel by Panel'),
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
    name: demo('Closed Book'),
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
