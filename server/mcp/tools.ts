import * as z from 'zod'
import { ApiError } from '#records/index.ts'
import { recordedFacts, type Book } from '#shared/book.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { isPartialDate } from '#shared/partial-date.ts'
import type { Statistics } from '#shared/statistics.ts'
import { statuses, type UserBook } from '#shared/user-book.ts'
import type { Query, ReaderApi } from './reader-api.ts'

/** Something that an assistant can do for a reader. */
export interface Tool {
  name: string
  title: string
  /** For the assistant: what it does and when to use it. */
  description: string
  /** What an API token must allow. */
  scope: 'read' | 'write'
  input: z.ZodObject
  /**
   * @param input what `input` lets through
   * @throws ApiError as the API answers
   */
  run: (api: ReaderApi, input: unknown) => Promise<object>
}

function tool<Input extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: Input
    run: (api: ReaderApi, input: z.output<Input>) => Promise<object>
  },
): Tool {
  const { input, run } = definition
  return { ...definition, run: (api, given) => run(api, input.parse(given)) }
}

/** Records of one answer. */
const perPage = 30

const page = z.number().int().min(1).default(1).describe('Page of the list, from 1')
const bookId = z.string().min(1).describe('Id of a book of the reader, from my_books')

/** The tools in the order in which they are listed. */
export const tools: readonly Tool[] = [
  tool({
    name: 'search_books',
    title: 'Search the catalogue',
    description:
      'Finds books by title, author, ISBN or a description, best first. Use it before add_book; its ids are those of the catalogue, not of the reader’s own books.',
    scope: 'read',
    input: z.object({ query: z.string().min(3).max(255), page }),
    async run(api, { query, page: number }) {
      const path = '/api/v1/book-info/search'
      const { data } = await api.get<{
        data: { books: Book[]; hasMoreResults: boolean; absent?: true }
      }>(path, { q: query, page: number, short_text: 'none' })
      return {
        books: data.books.map(({ id, title, authors, published_date, page_count, isbns }) => ({
          id,
          title,
          authors,
          published: published_date,
          pages: page_count,
          isbns,
        })),
        hasMore: data.hasMoreResults,
        ...(data.absent && { note: 'No book has this name; these are close.' }),
      }
    },
  }),
  tool({
    name: 'my_books',
    title: 'List my books',
    description:
      'The reader’s own books, last changed first: what they read, have read, want to read, paused or dropped. `text` finds words of titles and authors.',
    scope: 'read',
    input: z.object({
      status: z.enum(statuses).optional().describe('planning is "want to read"'),
      shelf: z.string().optional().describe('Id of a shelf, from my_shelves'),
      text: z.string().max(255).optional(),
      page,
    }),
    async run(api, { status, shelf, text, page: number }) {
      const filter = allOf(
        `user = ${quoted(api.user.id)}`,
        status && `status = ${quoted(status)}`,
        shelf && `shelf = ${quoted(shelf)}`,
        text && `(title ~ ${quoted(text)} || authors ~ ${quoted(text)})`,
      )
      const query = { filter, sort: '-updated,id', page: number, perPage, expand: 'shelf' }
      const { items, totalItems } = await list<UserBook>(api, 'user_books', query)
      return { books: items.map(ownBook), total: totalItems, page: number }
    },
  }),
  tool({
    name: 'my_shelves',
    title: 'List my shelves',
    description: 'The reader’s shelves with how many books each has. add_book needs one of them.',
    scope: 'read',
    input: z.object({}),
    async run(api) {
      const query = { filter: `user = ${quoted(api.user.id)}`, sort: 'name', perPage: 200 }
      const { items } = await list<Bookshelf>(api, 'bookshelves', query)
      return {
        shelves: items.map(({ id, name, visibility, book_count }) => ({
          id,
          name,
          visibility,
          books: book_count,
        })),
      }
    },
  }),
  tool({
    name: 'add_book',
    title: 'Add a book',
    description:
      'Puts a book on one of the reader’s shelves. Give its id from search_books; for a book that the catalogue lacks, give title and authors instead.',
    scope: 'write',
    input: z.object({
      id: z.string().min(1).optional().describe('Id of a book of the catalogue'),
      title: z.string().min(1).optional(),
      authors: z.array(z.string().min(1)).optional(),
      shelf: z.string().min(1).describe('Id of a shelf, from my_shelves'),
      status: z.enum(statuses).default('planning'),
    }),
    async run(api, { id, title = '', authors = [], shelf, status }) {
      const facts = id === undefined ? { title, authors } : await factsOf(api, id)
      const path = '/api/collections/user_books/records'
      const body = { ...facts, shelf, status }
      return ownBook(await api.send<UserBook>('POST', path, body, { expand: 'shelf' }))
    },
  }),
  tool({
    name: 'set_page',
    title: 'Save where I am',
    description:
      'Saves how far the reader is in a book: a page, a percentage, or minutes of an audiobook; exactly one of them.',
    scope: 'write',
    input: z
      .object({
        book: bookId,
        page: z.number().int().min(0).optional(),
        percent: z.number().min(0).max(100).optional(),
        minutes: z.number().int().min(0).optional(),
      })
      .refine(
        ({ page: at, percent, minutes }) =>
          [at, percent, minutes].filter((one) => one !== undefined).length === 1,
        'Give exactly one of page, percent and minutes.',
      ),
    run: (api, { book, page: progress, percent, minutes }) =>
      change(api, book, { progress, progress_percent: percent, progress_minutes: minutes }),
  }),
  tool({
    name: 'finish_book',
    title: 'Finish a book',
    description:
      'Marks a book as finished, today or on the day, month or year that is given, with a rating if the reader gave one.',
    scope: 'write',
    input: z.object({
      book: bookId,
      finished: z
        .string()
        .refine(isPartialDate, 'YYYY, YYYY-MM or YYYY-MM-DD')
        .optional()
        .describe('YYYY, YYYY-MM or YYYY-MM-DD; today if absent'),
      rating: z.number().min(0.5).max(10).optional().describe('Out of 10'),
    }),
    run: (api, { book, finished, rating }) =>
      change(api, book, { status: 'completed', rating }, { finished }),
  }),
  tool({
    name: 'rate_book',
    title: 'Rate or review a book',
    description: 'Sets the reader’s rating of a book, or their review in Markdown, or both.',
    scope: 'write',
    input: z.object({
      book: bookId,
      rating: z.number().min(0).max(10).optional().describe('Out of 10; 0 takes it away'),
      review: z.string().max(20_000).optional(),
    }),
    run: (api, { book, ...values }) => change(api, book, values),
  }),
  tool({
    name: 'statistics',
    title: 'Show my statistics',
    description:
      'The reader’s figures of a year, or of all time: books, pages, hours, months, ratings, genres, authors, streaks.',
    scope: 'read',
    input: z.object({
      // Some assistants write numbers as text.
      year: z.coerce.number().int().min(1000).max(9999).optional().describe('All time if absent'),
    }),
    async run(api, { year }) {
      const path = `/api/v1/users/${encodeURIComponent(api.user.username)}/stats`
      const { data } = await api.get<{ data: Statistics }>(path, { year })
      return {
        figures: data.figures.map(({ id, value, unit, parts }) => ({
          id,
          value,
          unit,
          parts: parts.map((part) => ({ key: part.key, value: part.value })),
        })),
      }
    },
  }),
  tool({
    name: 'my_quotes',
    title: 'List my quotes',
    description:
      'Passages that the reader has kept, newest first: of one book, or with some words.',
    scope: 'read',
    input: z.object({ book: bookId.optional(), text: z.string().max(255).optional(), page }),
    async run(api, { book, text, page: number }) {
      const key = book && (await findBook(api, book)).book_key
      const filter = allOf(
        `user = ${quoted(api.user.id)}`,
        key && `book_key = ${quoted(key)}`,
        text && `(text ~ ${quoted(text)} || note ~ ${quoted(text)})`,
      )
      const query = { filter, sort: '-created,id', page: number, perPage }
      const { items, totalItems } = await list<Quote>(api, 'quotes', query)
      return { quotes: items.map(quoteOf), total: totalItems, page: number }
    },
  }),
  tool({
    name: 'add_quote',
    title: 'Keep a quote',
    description: 'Keeps a passage of one of the reader’s books, with a note if there is one.',
    scope: 'write',
    input: z.object({
      book: bookId,
      text: z.string().min(1),
      note: z.string().optional(),
      page: z.number().int().min(1).optional(),
      private: z.boolean().default(false).describe('Whether only the reader sees it'),
    }),
    async run(api, { book, text, note = '', page: at, private: isPrivate }) {
      const { book_key } = await findBook(api, book)
      const body = { book_key, text, note, page: at ?? 0, isPrivate }
      return quoteOf(await api.send<Quote>('POST', '/api/collections/quotes/records', body))
    },
  }),
]

interface Quote {
  id: string
  text: string
  note: string
  page: number
  created: string
}

const quoteOf = ({ id, text, note, page: at, created }: Quote) => ({
  id,
  text,
  ...(note && { note }),
  ...(at > 0 && { page: at }),
  kept: created,
})

/** A book of the reader's, as every tool shows it. */
function ownBook(book: UserBook) {
  const { id, title, authors, status, rating, page_count, progress, progress_average } = book
  return {
    id,
    title,
    authors,
    status,
    pages: page_count,
    page: progress,
    percent: progress_average,
    rating,
    tags: book.tags,
    shelf: book.expand?.shelf?.name,
  }
}

const list = <One>(api: ReaderApi, collection: string, query: Query) =>
  api.get<{ items: One[]; totalItems: number }>(`/api/collections/${collection}/records`, query)

const recordPath = (book: string) =>
  `/api/collections/user_books/records/${encodeURIComponent(book)}`

const findBook = (api: ReaderApi, book: string) =>
  orNamed(api.get<UserBook>(recordPath(book)), noOwnBook)

async function change(api: ReaderApi, book: string, values: object, query: Query = {}) {
  const path = recordPath(book)
  const changed = api.send<UserBook>('PATCH', path, values, { expand: 'shelf', ...query })
  return ownBook(await orNamed(changed, noOwnBook))
}

async function factsOf(api: ReaderApi, id: string) {
  const path = `/api/v1/book-info/${encodeURIComponent(id)}`
  const { data } = await orNamed(
    api.get<{ data: { book: Book } }>(path),
    'The catalogue has no book with this id. Find it with search_books.',
  )
  return recordedFacts(data.book)
}

const noOwnBook = 'The reader has no book with this id. Find it with my_books.'

/** @throws ApiError with a sentence that tells an assistant how to go on, where the answer is 404 */
function orNamed<Answer>(answer: Promise<Answer>, sentence: string): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? new ApiError(404, sentence) : error
  })
}

/** A value in the record API's filter language. */
const quoted = (value: string) => JSON.stringify(value)

const allOf = (...tests: (string | undefined)[]) => tests.filter(Boolean).join(' && ')
