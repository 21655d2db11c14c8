import { beforeAll, describe, expect, test } from 'vitest'
import {
  send,
  differences,
  type Viewer,
  type Difference,
  type CrawlRequest,
  type TwinServer,
} from '#tests/access/crawl/send.ts'
import { collectEvents } from '#tests/access/crawl/events.ts'
import {
  accountRequests,
  assistantRequests,
  operationRequests,
  otherRequests,
  pageRequests,
  type Book,
} from '#tests/access/crawl/product.ts'
import { sharedIsbns, secretlySharedIsbn } from '#tests/access/crawl/hidden.ts'
import { recordRequests } from '#tests/access/crawl/records.ts'
import { makeTwins, type TwinLocation, type Twins } from '#tests/access/crawl/twins.ts'
import { path, secret } from '#tests/access/fixture.ts'
import { suiteCleanup, type OnCleanup } from '#tests/cleanup.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { openMailServer, type MailServer } from '#tests/smtp.ts'

const operator = 'operator@example.org'

async function serve(
  place: TwinLocation,
  onCleanup: OnCleanup,
): Promise<TwinServer & { post: MailServer }> {
  const post = await openMailServer()
  onCleanup(() => post.close())
  await copyStarterIndex(place.dataDir)
  const starting = startOctavo({
    SMTP_URL: post.url,
    SECRET: secret,
    DATA_DIR: place.dataDir,
    PUBLIC_CONTACT_EMAIL: operator,
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
  })
  // Its twin may fail to start before this one is ready.
  onCleanup(() =>
    starting.then(
      async (octavo) => void (await octavo.stop()),
      () => undefined,
    ),
  )
  const octavo = await starting
  return {
    origin: octavo.url,
    post,
    fetch: (address, init) => fetch(octavo.url + address, init),
  }
}

describe.each(['sqlite', 'postgres'] as const)(
  'R26: what is hidden changes no answer to a stranger (%s)',
  (dialect) => {
    let twins: Twins
    let sides: Record<'bare' | 'full', TwinServer & { post: MailServer }>
    let visitor: Viewer
    let reader: Viewer
    let books: readonly Book[]
    let description: { paths: Record<string, object> }

    const onCleanup = suiteCleanup()

    beforeAll(async () => {
      twins = await makeTwins(dialect, onCleanup)
      const [bare, full] = await Promise.all([
        serve(twins.bare, onCleanup),
        serve(twins.full, onCleanup),
      ])
      sides = { bare, full }
      visitor = { name: 'visitor', token: '' }
      reader = { name: 'reader', token: twins.readers.stranger.token }
      description = await json('/api/v1/openapi.json')
      books = await Promise.all(
        [...sharedIsbns, secretlySharedIsbn].map(
          async (isbn) =>
            (await json<{ data: { book: Book } }>(`/api/v1/book-info/isbn/${isbn}`)).data.book,
        ),
      )
    })

    async function json<T>(address: string, side: TwinServer = sides.bare): Promise<T> {
      return JSON.parse((await send(side, visitor, { path: address })).body) as T
    }

    /**
     * @param least of the answers that there must be something in
     * @returns the first answers that differ
     */
    async function crawl(
      questions: readonly CrawlRequest[],
      least: number,
      viewers: readonly Viewer[] = [visitor, reader],
    ): Promise<Difference[]> {
      const all: Difference[] = []
      for (const viewer of viewers) {
        const { found, worked } = await differences(sides, viewer, questions)
        all.push(...found)
        if (worked < least) throw new Error(`only ${worked} questions of a ${viewer.name} worked`)
      }
      return all.slice(0, 3)
    }

    // Books that are shelved together are counted some time after the start.
    test('after both sides have counted what everybody sees', async () => {
      type Similar = { data: { readers: Record<string, number> } }
      const similar = `/api/v1/book-info/${books[0]!.id}/similar`
      for (const side of [sides.bare, sides.full])
        await expect
          .poll(async () => Object.values((await json<Similar>(similar, side)).data.readers))
          .toEqual([2])
    })

    test('after both sides have read the file of the sample reader', async () => {
      for (const side of [sides.bare, sides.full])
        await expect
          .poll(async () => (await json<{ data: unknown }>('/api/v1/sample', side)).data)
          .not.toBeNull()
    })

    test.each([
      ['lists', 50],
      ['views', 2],
      ['palette', 5],
      ['files', 0],
      ['writes of others', 0],
      ['batches', 0],
    ] as const)('of the record service: %s', async (door, least) => {
      expect(await crawl(recordRequests(twins)[door]!, least)).toEqual([])
    })

    // 7 s: some thousand filters.
    test.each(['filters', 'sorts'])('of the record service: %s', async (door) => {
      // These are many: a visitor asks one half, a reader the other, and on PostgreSQL a third of it.
      const all = recordRequests(twins)[door]!
      const shares = dialect === 'sqlite' ? 2 : 6
      for (const [place, viewer] of [visitor, reader].entries()) {
        const share = all.filter((_, i) => i % shares === place)
        expect(await crawl(share, share.length / 2, [viewer])).toEqual([])
      }
    })

    test('on no page, and in no data of one', async () => {
      expect(await crawl(pageRequests(twins, books), 30)).toEqual([])
    })

    test('in no picture of a link and no list for others', async () => {
      expect(await crawl(otherRequests(twins), 5)).toEqual([])
    })

    test('in nothing that an assistant is told', async () => {
      expect(await crawl(assistantRequests(twins), 20, [reader])).toEqual([])
    })

    test('at no door to accounts', async () => {
      expect(await crawl(accountRequests(twins), 5)).toEqual([])
    })

    test('of no operation of the product', async () => {
      expect(await crawl(operationRequests(twins, description, books), 40)).toEqual([])
    })

    test('though its readers see all of it', async () => {
      const { unseen, readers, hidden } = twins
      let seen = ''
      for (const { id, token } of [...unseen, readers.owner])
        for (const address of [
          path('users', id),
          ...Object.keys(hidden.ids).map((name) => `${path(name)}?perPage=1000`),
          ...hidden.files,
        ])
          seen += (await send(sides.full, { name: 'owner', token }, { path: address })).body
      expect(hidden.canaries.length).toBeGreaterThan(60)
      expect(hidden.canaries.filter((word) => !seen.includes(word))).toEqual([])
      expect(seen.match(/<title>canary/g)?.length).toBeGreaterThan(10)
    })

    test('in no event', async () => {
      const { bare, full } = await collectEvents(sides, [visitor, reader], twins)
      expect(full).toEqual(bare)
      for (const events of bare) expect(events.length).toBeGreaterThan(5)
    })

    test('in no mail to others', async () => {
      for (const address of [operator, twins.readers.stranger.email]) {
        const [bare, full] = [sides.bare, sides.full].map(({ post, origin }) =>
          post
            .mailsTo(address)
            .map(({ subject, text = '' }) => [
              subject,
              text.replaceAll(origin, 'ORIGIN').replaceAll(/\b(show|close) [\w-]+/g, '$1 ID'),
            ]),
        )
        expect(full).toEqual(bare)
      }
      expect(sides.full.post.mailsTo(operator)).toHaveLength(1)
    })
  },
)
