import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as z from 'zod'
import type { LibraryRecords, LibraryTransaction } from '#server/collections/stored.ts'
import { splitNames } from '#server/import/people.ts'
import { storeQuotes } from './device-quotes.ts'
import { authKey } from './password.ts'
import { cleanText, highlight, toQuote } from './readwise-highlight.ts'
import type { SignedIn, SignIn } from './sign-in.ts'
import { touch } from './store-push.ts'

/** What is refused, as the status and what it says. */
const refusals = {
  unauthorized: [401, 'Invalid token.'],
  paused: [403, 'This connection is paused.'],
  tooMany: [429, 'Too many requests. Try again in a minute.'],
  notJson: [400, 'The body is not JSON.'],
  tooMuch: [400, 'These are more than 1000 books. Send fewer at a time.'],
  full: [400, 'There is no room for more books.'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>

/** Books in one request. */
const maxBooks = 1000

type Env = { Variables: { connection: SignedIn } }

interface ReadwiseApiDeps {
  records: Pick<LibraryRecords, 'write'>
  signIn: SignIn
  /** Called when something has been stored. */
  wake: () => void
  now?: (() => Date) | undefined
}

/**
 * The part of Readwise's API that apps export highlights with, which become quotes. A connection's
 * token opens nothing else. Clients write paths with and without the last slash, and follow no
 * redirect.
 */
export function readwiseApiRoutes(deps: ReadwiseApiDeps): Hono<Env> {
  const { records, signIn, wake, now = () => new Date() } = deps
  return new Hono<Env>()
    .use(requireConnection(signIn))
    .on('GET', ['/auth', '/auth/'], async (c) => {
      await records.write((tx) => touch(tx, c.get('connection').id, now()))
      return c.body(null, 204)
    })
    .on('POST', ['/highlights', '/highlights/'], async (c) => {
      const body: unknown = await c.req.json().catch(() => null)
      if (body === null) return refusal('notJson')
      const { data, error } = sent.safeParse(body)
      if (error) return c.json({ detail: z.prettifyError(error) }, 400)
      const books = booksOf(data.highlights)
      if (books.length > maxBooks) return refusal('tooMuch')
      for (const book of books) {
        const failure = await records.write((tx) => store(tx, c.get('connection'), book, now()))
        wake()
        if (failure) return refusal(failure)
      }
      return c.json(books.map(toAnswer))
    })
}

async function store(
  tx: LibraryTransaction,
  { id, user }: SignedIn,
  { title, authors, quotes }: Book,
  now: Date,
): Promise<keyof typeof refusals | null> {
  const connection = await tx.find('connections', id)
  if (!connection) return 'unauthorized'
  await touch(tx, id, now)
  const sender = { user, connection: id, name: connection.name }
  const marked = { document: '', title, authors, quotes }
  return (await storeQuotes(tx, sender, marked, now)) ? null : 'full'
}

function refusal(why: keyof typeof refusals): Response {
  const [status, detail] = refusals[why]
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Token' }),
    ...(status === 429 && { 'Retry-After': '60' }),
  }
  return Response.json({ detail }, { status, headers })
}

/** Lets only connections through, and sets `connection`. */
function requireConnection(signIn: SignIn) {
  return createMiddleware<Env>(async (c, next) => {
    const [scheme = '', token = ''] = (c.req.header('authorization') ?? '').split(' ')
    const [username = '', password = ''] = scheme.toLowerCase() === 'token' ? token.split(':') : []
    const key = authKey(password)
    const connection = await signIn(c, { kind: 'highlights', username, key })
    if (typeof connection === 'string') return refusal(connection)
    c.set('connection', connection)
    return next()
  })
}

const sent = z.object({
  highlights: z.array(
    highlight.extend({
      text: cleanText.refine((text) => text.trim() !== '', 'Required'),
      title: cleanText.nullish(),
      author: cleanText.nullish(),
      category: z.string().nullish(),
      source_url: z.string().nullish(),
    }),
  ),
})
type Sent = z.infer<typeof sent>['highlights'][number]

/** Readwise takes what has an address, and no category, for an article, and what has no title so. */
const categoryOf = ({ category, source_url }: Sent) =>
  category || (source_url ? 'articles' : 'books')
const untitled = 'Quotes'

/** @returns the books of highlights, with their quotes; articles, podcasts and tweets are left aside */
function booksOf(highlights: readonly Sent[]) {
  const ofBooks = highlights.filter((one) => categoryOf(one) === 'books')
  const byBook = Map.groupBy(ofBooks, ({ title, author }) =>
    JSON.stringify([title?.trim() || untitled, author?.trim() ?? '']),
  )
  return [...byBook].map(([key, marked]) => {
    const [title, author] = JSON.parse(key) as [string, string]
    const authors = splitNames(author)
    return { title, author, authors, quotes: marked.map(toQuote) }
  })
}

type Book = ReturnType<typeof booksOf>[number]

const toAnswer = ({ title, author, quotes }: Book) => ({
  id: numberOf(title, author),
  title,
  author,
  category: 'books',
  num_highlights: quotes.length,
  modified_highlights: quotes.map(({ text }) => numberOf(title, author, text)),
})

/** A client may keep the number of what it has sent: it stays the same, and nothing can be asked by it. */
const numberOf = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE() >>> 1
