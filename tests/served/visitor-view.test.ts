import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { suiteCleanup } from '#tests/cleanup.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { runModule } from '#tests/run-module.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/moderate.ts')
const isbns = [
  ['9780141439518', '9780141439587'],
  ['9780141439471', '9780192804785'],
] as const
const kinds = ['public', 'private'] as const
/** The last one is hidden by the operator. */
const profiles = [...kinds, 'hidden'] as const
const tabs = ['', '/books', '/shelves', '/wishlist', '/diary', '/stats', '/year', '/tags']

describe.each(['sqlite', 'postgres'] as const)('a page viewed as visitor (%s)', (dialect) => {
  let octavo: Octavo
  let databaseUrl = ''
  const cookies = new Map<string, string>()
  const shelves = new Map<string, string>()

  const onCleanup = suiteCleanup()

  beforeAll(async () => {
    const post = await openMailServer()
    onCleanup(() => post.close())
    if (dialect === 'postgres') databaseUrl = await newMigratedUrl(onCleanup)
    octavo = await startOctavo({
      SMTP_URL: post.url,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    })
    onCleanup(async () => void (await octavo.stop()))
    for (const profile of profiles) {
      const token = await signUp(octavo, post, `${profile}-reader`)
      cookies.set(profile, await cookieOf(octavo, token))
      await fill(token, profile)
    }
  })

  /** Shelves, books, notes and quotes of every kind. What is not for others holds a canary. */
  async function fill(token: string, profile: string): Promise<void> {
    const client = signedIn(octavo, token)
    const { id } = await ownRecord(client)
    await client.collection('users').update(id, { username: `${profile}-reader` })
    for (const [s, visibility] of kinds.entries()) {
      const shelfName = mark(`Shelf`, visibility, profile)
      const shelf = await client.collection('bookshelves').create({ name: shelfName, visibility })
      shelves.set(`${profile} ${visibility}`, shelf.id)
      for (const [b, kind] of kinds.entries()) {
        const word = (text: string, one = kind as string) => mark(text, visibility, profile, one)
        const { book_key } = await client.collection('user_books').create({
          shelf: shelf.id,
          title: word(`Book`),
          isbn: isbns[s]![b],
          status: b ? 'planning' : 'completed',
          rating: 7,
          tags: [word('Tag')],
          notes: mark('Note', 'private'),
          review: word('Review'),
          isPrivate: kind === 'private',
        })
        for (const one of kinds)
          await client
            .collection('quotes')
            .create({ book_key, text: word('Quote', one), isPrivate: one === 'private' })
        const reading = { book_key, started: '2023-05-23', finished: '2023-06-07' }
        await client.collection('readings').create({ ...reading, outcome: 'finished' })
      }
    }
    const settings = await client.collection('settings').getFirstListItem('')
    await client.collection('settings').update(settings.id, { isPrivate: profile === 'private' })
    if (profile === 'hidden') await hide(`${profile}-reader`)
  }

  /** Runs the operator's command beside the server. */
  async function hide(username: string): Promise<void> {
    const place = { DATA_DIR: octavo.dataDir, DATABASE_URL: databaseUrl }
    expect(await runModule(command, ['hide', username], place)).toMatchObject({ code: 0 })
  }

  const mark = (text: string, ...seen: string[]) =>
    seen.includes('private') ? `canary ${text}` : `${text} for all`

  async function open(path: string, cookie?: string, method = 'GET') {
    const answer = await fetch(octavo.url + path, {
      method,
      redirect: 'manual',
      headers: cookie ? { Cookie: `${cookie}; shelf-view=spines; books-view=grid` } : {},
    })
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
    // Two words are another at every answer: which scripts may run, and when it was.
    const plain = (text: string) =>
      text
        .replaceAll(nonce ?? 'no nonce', 'NONCE')
        .replaceAll(/\b1[789]\d{11}\b|\b\d+ (?:second|minute)s?(?=(?:<!-- -->)? ago)/g, 'TIME')
    const headers = [...answer.headers].filter(([name]) => name !== 'date')
    return {
      status: answer.status,
      headers: headers.map(([name, value]) => [name, plain(value)]),
      html: plain(await answer.text()),
    }
  }

  function pages(profile: string): string[] {
    return [
      ...tabs.map((tab) => `/u/${profile}-reader${tab}`),
      `/u/${profile}-reader/books?sort=title&status=completed`,
      ...kinds.map((visibility) => `/shelf/${shelves.get(`${profile} ${visibility}`)!}`),
      ...isbns.flat().map((isbn) => `/book/${isbn}`),
      `/shelf/${'x'.repeat(15)}`,
    ]
  }

  test.each(profiles)('is what a stranger gets, to the letter (profile %s)', async (profile) => {
    for (const path of pages(profile)) {
      const wish = `${path}${path.includes('?') ? '&' : '?'}as=visitor`
      const stranger = await open(path)
      for (const cookie of [...cookies.values(), undefined])
        expect(await open(wish, cookie), path).toEqual(stranger)
      expect(stranger.html).not.toContain('canary')
      expect(await open(wish, cookies.get(profile), 'HEAD')).toEqual(await open(path, '', 'HEAD'))
    }
  })

  test.each(profiles)('is one’s own without the wish (profile %s)', async (profile) => {
    const own = cookies.get(profile)
    const shelf = `/shelf/${shelves.get(`${profile} private`)!}`
    expect((await open(shelf, own)).html).toContain('canary Book')
    expect((await open(`${shelf}?as=owner`, own)).html).toContain('canary Book')
    expect(await open(`${shelf}?as=visitor`, own)).toMatchObject({ status: 404 })
    const home = await open(`/u/${profile}-reader?as=visitor`, own)
    expect(home.status).toBe(profile === 'public' ? 200 : 404)
  })
})
