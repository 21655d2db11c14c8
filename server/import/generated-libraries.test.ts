import { expect, test } from 'vitest'
import type { Reading } from '#shared/reading.ts'
import { describeMigratedSqlite } from '#tests/databases.ts'
import { counted, dump, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()

/** One time through a book: from a day to a day, either of them empty if it isn't known. */
type Time = readonly [started: string, finished: string]
type Status = 'completed' | 'reading' | 'paused' | 'dropped' | 'planning'

/** A book as a reader of another tracker knows it. */
interface Told {
  id: number
  title: string
  author: string
  status: Status
  /** Out of ten. */
  rating: number
  tags: string[]
  review: string
  spoilers: boolean
  note: string
  pages: number
  times: Time[]
}

const firsts = [
  'Alder',
  'Birch',
  'Cedar',
  'Damson',
  'Elm',
  'Fir',
  'Gorse',
  'Hazel',
  'Ivy',
  'Juniper',
]
const seconds = ['Almanac', 'Ballads', 'Chronicle', 'Days', 'Elegy', 'Fables']
const tags = ['slow burn', 'C', 'C++', 'été', 'book-club, 2019', 'to lend']
const statuses: Status[] = ['completed', 'completed', 'reading', 'paused', 'dropped', 'planning']

/** @returns a library that is the same for the same seed */
function tell(seed: number, count: number): Told[] {
  let state = seed
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const some = <T>(of: readonly T[]) => of[next(of.length)]!
  const day = (year: number) =>
    `${year}-${String(1 + next(12)).padStart(2, '0')}-${String(1 + next(28)).padStart(2, '0')}`
  const maybe = (text: string) => (next(2) ? text : '')
  return Array.from({ length: count }, (_, id) => {
    const status = some(statuses)
    const ended: Time[] = [
      [maybe(day(2017)), day(2018)],
      [maybe(day(2020)), day(2021)],
    ]
    const times: Record<Status, Time[]> = {
      completed: ended.slice(next(3)),
      dropped: ended.slice(1 + next(2)),
      reading: [[maybe(day(2022)), '']],
      paused: [[maybe(day(2022)), '']],
      planning: [],
    }
    const review = maybe('Fine, "quite" fine.\nTruly.')
    return {
      id: id + 1,
      title: `${firsts[id % firsts.length]} ${seconds[Math.floor(id / firsts.length)]}`,
      author: some(['Ann Author', 'Bob Boo', 'Cyd Chi']),
      status,
      rating: status === 'completed' || status === 'dropped' ? next(11) : 0,
      tags: tags.filter(() => next(3) === 0),
      review,
      spoilers: review !== '' && next(3) === 0,
      note: maybe('Lent to Dan'),
      pages: next(2) * (100 + next(900)),
      times: times[status],
    }
  })
}

/** What isn't known of a book before it is read. */
const unread = {
  status: 'planning',
  rating: 0,
  review: '',
  spoilers: false,
  note: '',
  times: [],
} satisfies Partial<Told>

/** How a tracker writes a library, and what of a book its file can say. */
interface Tracker {
  name: string
  columns: string[]
  separator?: string
  /** The lines of a book, with cells for the columns. */
  lines: (book: Told) => (string | number)[][]
  /** What its file says of a book: its other fields are empty. */
  says: (book: Told) => Partial<Told>
}

const slashed = (day: string) => day.replaceAll('-', '/')
const last = ({ times }: Told): Time => times.at(-1) ?? ['', '']
const stars = ({ rating }: Told) => (rating ? rating / 2 : '')
const wholeStars = ({ rating }: Told) => Math.floor(rating / 2)
const plainTags = ({ tags: all }: Told) => all.filter((tag) => !tag.includes(','))
/** The days of the last time, as trackers with one pair of columns have them. */
const lastTime = (book: Told): Time[] => book.times.slice(-1)
const onlyEnds = (times: readonly Time[]): Time[] =>
  times.flatMap(([, finished]): Time[] => (finished ? [['', finished]] : []))
const yes = (is: boolean) => (is ? 'true' : 'false')

const trackers: Tracker[] = [
  {
    name: 'Goodreads',
    columns: [
      ['Book Id', 'Title', 'Author', 'My Rating', 'Number of Pages', 'Date Read', 'Bookshelves'],
      ['Exclusive Shelf', 'My Review', 'Spoiler', 'Private Notes', 'Read Count'],
    ].flat(),
    lines: (book) => {
      const words = {
        completed: 'read',
        reading: 'currently-reading',
        planning: 'to-read',
        dropped: 'did-not-finish',
        paused: 'on-hold',
      }
      return [
        [
          [book.id, book.title, book.author, wholeStars(book), book.pages || ''],
          [slashed(last(book)[1]), plainTags(book).join(', '), words[book.status]],
          [book.review.replace('\n', '<br/>'), yes(book.spoilers), book.note],
          book.status === 'completed' ? Math.max(book.times.length, 1) : 0,
        ].flat(),
      ]
    },
    says: (book) => ({
      ...book,
      rating: 2 * wholeStars(book),
      tags: plainTags(book),
      // It counts how often a book was read, and has the last day.
      times:
        book.status === 'completed'
          ? [...book.times.slice(1).map((): Time => ['', '']), ...onlyEnds(lastTime(book))]
          : onlyEnds(lastTime(book)),
    }),
  },
  {
    name: 'StoryGraph',
    columns: [
      ['Title', 'Authors', 'ISBN/UID', 'Read Status', 'Star Rating', 'Dates Read', 'Read Count'],
      ['Review', 'Tags'],
    ].flat(),
    lines: (book) => {
      const words = {
        completed: 'read',
        reading: 'currently-reading',
        planning: 'to-read',
        dropped: 'did-not-finish',
        paused: 'paused',
      }
      const dates = book.times.flatMap(([started, finished]) => {
        if (!started) return finished ? [slashed(finished)] : []
        return [`${slashed(started)}-${slashed(finished)}`]
      })
      return [
        [
          [book.title, book.author, '', words[book.status], stars(book), dates.join(', ')],
          [book.status === 'completed' ? Math.max(book.times.length, 1) : 0],
          [book.review, plainTags(book).join(', ')],
        ].flat(),
      ]
    },
    says: (book) => ({ ...book, tags: plainTags(book), note: '', pages: 0, spoilers: false }),
  },
  {
    name: 'LibraryThing',
    separator: '\t',
    columns: [
      ['Book Id', 'Title', 'Primary Author', 'Rating', 'Review'],
      ['Private Comment', 'Page Count'],
      ['Date Started', 'Date Read', 'Tags', 'Collections', 'ISBN', 'Work id'],
    ].flat(),
    lines: (book) => {
      const words = {
        completed: 'Read but unowned',
        reading: 'Currently reading',
        planning: 'To read',
        dropped: 'Abandoned',
        paused: 'On hold',
      }
      const [first, surname] = book.author.split(' ')
      const [started, finished] = last(book).map((day) => day && `[${day}]`) as [string, string]
      return [
        [
          [book.id, book.title, `${surname}, ${first}`, stars(book)],
          [book.review.replace('\n', ' '), book.note, book.pages || '', started, finished],
          [plainTags(book).join(','), words[book.status], '', book.id],
        ].flat(),
      ]
    },
    says: (book) => ({
      ...book,
      review: book.review.replace('\n', ' '),
      spoilers: false,
      tags: plainTags(book),
      times: lastTime(book),
    }),
  },
  {
    name: 'BookWyrm',
    columns: [
      ['title', 'author_text', 'remote_id', 'isbn_13', 'start_date', 'finish_date'],
      ['stopped_date', 'rating', 'review_content', 'review_cw', 'shelf', 'shelf_name'],
    ].flat(),
    lines: (book) => {
      const words = {
        completed: 'read',
        reading: 'reading',
        planning: 'to-read',
        dropped: 'stopped-reading',
        paused: 'on-hold',
      }
      const isDropped = book.status === 'dropped'
      // It has a line for each time.
      return (book.times.length ? book.times : ([['', '']] as Time[])).map(([started, finished]) =>
        [
          [book.title, book.author, `https://example.org/book/${book.id}`, '', started],
          [isDropped ? '' : finished, isDropped ? finished : '', stars(book)],
          [book.review, book.spoilers ? 'cw' : '', words[book.status], words[book.status]],
        ].flat(),
      )
    },
    says: (book) => ({ ...book, tags: [], note: '', pages: 0 }),
  },
  {
    name: 'Openreads',
    columns: [
      ['title', 'author', 'status', 'rating', 'pages', 'isbn', 'olid', 'tags', 'my_review'],
      ['notes', 'book_format', 'readings'],
    ].flat(),
    lines: (book) => {
      const words = {
        completed: 'finished',
        reading: 'in_progress',
        planning: 'planned',
        dropped: 'abandoned',
        paused: 'paused',
      }
      return [
        [
          [book.title, book.author, words[book.status], stars(book), book.pages || '', '', ''],
          [book.tags.join('|||||'), book.review, book.note, 'paperback'],
          [book.times.map(([started, finished]) => `${started}|${finished}|`).join(';')],
        ].flat(),
      ]
    },
    says: (book) => ({ ...book, spoilers: false }),
  },
  {
    name: 'BookLogr',
    columns: [
      ['title', 'isbn', 'description', 'reading_status', 'current_page', 'total_pages'],
      ['author', 'rating', 'notes'],
    ].flat(),
    lines: (book) => {
      const words = {
        completed: 'Read',
        reading: 'Currently reading',
        planning: 'To be read',
        dropped: 'Did not finish',
        paused: 'On hold',
      }
      return [
        [
          [book.title, 'None', 'None', words[book.status], 0, book.pages || 0, book.author],
          [stars(book) || 'None', book.note || '[]'],
        ].flat(),
      ]
    },
    says: (book) => ({ ...book, tags: [], review: '', spoilers: false, times: [] }),
  },
  {
    name: 'Jelu',
    columns: [
      ['Title', 'Author', 'ISBN', 'Shelves', 'read_dates', 'tags', 'dropped_dates'],
      'currently_reading',
    ].flat(),
    lines: (book) => {
      const ends = book.times.map(([, finished]) => slashed(finished)).join(',')
      const words = { reading: 'currently-reading', planning: 'to-read', paused: 'to-read' }
      const { status } = book
      return [
        [
          [book.title, book.author, '', status in words ? words[status as 'reading'] : ''],
          [status === 'completed' ? ends : '', plainTags(book).join(',')],
          [status === 'dropped' ? ends : '', ''],
        ].flat(),
      ]
    },
    says: (book) => {
      const times = onlyEnds(book.times)
      const isEnded = times.length > 0 || book.status === 'reading'
      return {
        title: book.title,
        author: book.author,
        status: isEnded ? book.status : 'planning',
        tags: plainTags(book),
        times,
      }
    },
  },
  {
    name: 'Hardcover',
    columns: [
      ['Title', 'Author', 'Status', 'Privacy', 'Hardcover Book ID', 'Pages', 'Lists'],
      ['Date Started', 'Date Finished', 'Rating', 'Review', 'Review Contains Spoilers'],
      'Private Notes',
    ].flat(),
    lines: (book) => {
      const words = {
        completed: 'Read',
        reading: 'Currently Reading',
        planning: 'Want to Read',
        dropped: 'Did Not Finish',
        paused: 'Paused',
      }
      return [
        [
          [book.title, book.author, words[book.status], 'Public', book.id, book.pages || ''],
          [plainTags(book).join(', '), ...last(book), stars(book), book.review],
          [yes(book.spoilers), book.note],
        ].flat(),
      ]
    },
    says: (book) => ({ ...book, tags: plainTags(book), times: lastTime(book) }),
  },
  {
    name: 'Calibre',
    columns: [
      ['authors', 'author_sort', 'rating', 'library_name', 'timestamp', 'tags', 'title', 'uuid'],
    ].flat(),
    lines: (book) => [
      [
        [book.author, book.author, stars(book), 'Library', '2021-01-19T22:41:16+01:00'],
        [plainTags(book).join(', '), book.title, `u${book.id}`],
      ].flat(),
    ],
    says: ({ title, author, rating, tags: all }) => ({
      title,
      author,
      rating,
      tags: all.filter((tag) => !tag.includes(',')),
    }),
  },
  {
    name: 'Open Library',
    columns: ['Work Id', 'Edition Id', 'Title', 'Authors', 'Bookshelf', 'My Ratings'],
    lines: (book) => {
      const words = {
        completed: 'Already Read',
        reading: 'Currently Reading',
        planning: 'Want to Read',
        dropped: 'Stopped Reading',
        paused: 'Want to Read',
      }
      return [
        [
          [`OL${book.id}W`, `OL${book.id}M`, book.title, book.author, words[book.status]],
          wholeStars(book) || '',
        ].flat(),
      ]
    },
    says: (book) => ({
      title: book.title,
      author: book.author,
      status: book.status === 'paused' ? 'planning' : book.status,
      rating: 2 * wholeStars(book),
    }),
  },
  {
    name: 'Libby',
    columns: ['cover', 'title', 'author', 'isbn', 'timestamp', 'activity', 'details', 'library'],
    lines: ({ title, author }) =>
      ['Borrowed', 'Returned'].map((activity, at) =>
        [['', title, author, '', `November ${20 + at}, 2022 13:52`, activity, '', 'Town']].flat(),
      ),
    says: ({ title, author }) => ({ title, author }),
  },
  {
    name: 'a table',
    separator: ';',
    columns: ['Titel', 'Autor', 'Status', 'Bewertung', 'Gelesen am', 'Seiten', 'Notizen', 'Genre'],
    lines: (book) => {
      const words = {
        completed: 'gelesen',
        reading: 'lese ich gerade',
        planning: 'zu lesen',
        dropped: 'abgebrochen',
        paused: 'pausiert',
      }
      const day = last(book)[1].split('-').toReversed().join('.')
      return [
        [
          [book.title, book.author, words[book.status], book.rating || '', day],
          [book.pages || '', book.note, plainTags(book).join(', ')],
        ].flat(),
      ]
    },
    says: (book) => ({
      ...book,
      tags: plainTags(book),
      review: '',
      spoilers: false,
      times: onlyEnds(lastTime(book)),
    }),
  },
]

const nothing: Told = {
  id: 0,
  title: '',
  author: '',
  status: 'planning',
  rating: 0,
  tags: [],
  review: '',
  spoilers: false,
  note: '',
  pages: 0,
  times: [],
}

function write({ columns, lines, separator = ',' }: Tracker, books: readonly Told[]): string {
  const isBare = separator === '\t'
  const cell = (value: string | number) =>
    isBare ? String(value) : `"${String(value).replaceAll('"', '""')}"`
  const rows = [columns, ...books.flatMap(lines)]
  return rows.map((row) => row.map(cell).join(separator)).join('\r\n')
}

/** A book in the words of the library: what was counted here, without the importer's code. */
function expected(told: Told) {
  const { status, times } = told
  const isRead = status === 'completed' || status === 'dropped'
  const outcome = status === 'completed' ? 'finished' : isRead ? 'dropped' : 'reading'
  // A book that is read was read once at least, and one that isn't planned has begun.
  const isCounted = status !== 'planning'
  const known = times.filter(([started, finished]) => isRead || started || finished)
  const all = known.length || !isCounted ? known : [['', ''] as Time]
  return {
    title: told.title,
    authors: [told.author],
    status,
    rating: told.rating,
    tags: told.tags.toSorted(),
    review: told.review,
    review_spoilers: told.spoilers,
    notes: told.note,
    page_count: told.pages,
    readings: all.map(([started, finished]) => `${started}..${finished} ${outcome}`).toSorted(),
  }
}

describeMigratedSqlite('a generated library', (open) => {
  const of = useImports(open, catalogue)

  async function library() {
    const readings = await of.reader.client.collection('readings').getFullList<Reading>()
    return (await of.books()).map((book) => ({
      title: book.title,
      authors: book.authors,
      status: book.status,
      rating: book.rating,
      tags: (book.tags ?? []).toSorted(),
      review: book.review,
      review_spoilers: book.review_spoilers,
      notes: book.notes,
      page_count: book.page_count,
      readings: readings
        .filter((one) => one.book_key === book.book_key)
        .map(({ started, finished, outcome }) => `${started}..${finished} ${outcome}`)
        .toSorted(),
    }))
  }

  async function apply(file: string) {
    const read = await of.send(file)
    expect([read.state, counted(read)]).toEqual(['waiting', read.total])
    const done = await of.step(read.id, { state: 'applying' })
    expect([done.state, counted(done), done.invalid]).toEqual(['done', done.total, 0])
    of.ahead(60_000)
    return done
  }

  test.each(trackers)('of $name comes whole, and only once', async (tracker) => {
    const told = tell(tracker.name.length, 20)
    const file = write(tracker, told)
    expect((await apply(file)).total).toBe(told.flatMap(tracker.lines).length)
    const all = told.map((book) => expected({ ...nothing, ...tracker.says(book) }))
    expect(await library()).toEqual(all.toSorted((a, b) => (a.title < b.title ? -1 : 1)))
    const before = await dump(of.world, of.reader)
    for (let time = 0; time < 2; time++) {
      await apply(file)
      expect(await dump(of.world, of.reader)).toBe(before)
    }
  })

  test.each(trackers)('of $name ends alike, whichever export comes first', async (tracker) => {
    const now = tell(tracker.name.length + 100, 20)
    /** What the reader knew of a book some years ago. */
    const earlier = now.slice(5).map((book): Told => {
      const ended = book.times.filter(([, finished]) => finished)
      if (book.id % 3 === 0) return { ...book, ...unread }
      const isReread = book.status === 'completed' && ended.length > 1
      return isReread ? { ...book, times: ended.slice(0, 1) } : book
    })
    const files = [write(tracker, earlier), write(tracker, now)]
    const ends: unknown[] = []
    for (const order of [files, files.toReversed()]) {
      const ids: string[] = []
      for (const file of order) ids.push((await apply(file)).id)
      ends.push(await library())
      for (const id of ids.toReversed()) await of.step(id, { state: 'undone' })
      expect(await library()).toEqual([])
    }
    // The earlier one also has days that the later one has no room for.
    const all = now.map((book) => {
      const { readings: _, ...rest } = expected({ ...nothing, ...tracker.says(book) })
      return rest
    })
    expect(ends[0]).toMatchObject(all.toSorted((a, b) => (a.title < b.title ? -1 : 1)))
    expect(ends[1]).toEqual(ends[0])
  })
})
