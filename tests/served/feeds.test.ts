import { escapeUTF8 } from 'entities'
import ICAL from 'ical.js'
import Parser from 'rss-parser'
import { expect, it, onTestFinished } from 'vitest'
import type { Goal } from '#shared/goal.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'

const { octavo, post } = await openOctavo({ RATE_LIMITS: 'off' })
const token = await signUp(octavo, post, 'ann')
const client = signedIn(octavo, token)
const { id: user } = await ownRecord(client)
await client.collection('users').update(user, { username: 'ann' })

const shelve = async (name: string, visibility = 'public') =>
  (await client.collection('bookshelves').create({ name, visibility })).id
const add = async (on: string, title: string, fields: object) =>
  (await client.collection('user_books').create({ shelf: on, title, authors: [], ...fields })).id
/** Today. */
async function finish(title: string): Promise<void> {
  const book = await add(shelf, title, { status: 'reading' })
  await client.collection('user_books').update(book, { status: 'completed' })
}
const shelf = await shelve('Winter & snow')
const secret = await shelve('Secret', 'private')

async function setPrivate(isPrivate: boolean): Promise<void> {
  const [own] = await client.collection('settings').getFullList()
  await client.collection('settings').update(own!.id, { isPrivate })
}

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(octavo.url + path, { headers })
const parse = async (path: string) => new Parser().parseString(await (await ask(path)).text())
const activityPath = '/u/ann/feed.atom'
const calendarPath = '/u/ann/calendar.ics'

async function calendarEvents() {
  const answer = await ask(calendarPath)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const calendar = new ICAL.Component(ICAL.parse(await answer.text()) as unknown[])
  return calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
}

it('tells what a reader does, newest first, in the language that is asked for', async () => {
  const emma = await add(shelf, 'Emma <1815>', {
    authors: ['Jane Austen'],
    page_count: 400,
    status: 'reading',
  })
  await client.collection('user_books').update(emma, { progress: 120 })
  const feed = await parse(activityPath)
  expect(feed.title).toBe('ann on Octavo')
  expect(feed.items.map(({ title }) => title)).toEqual([
    // As HTML, which titles of Atom entries are here.
    'ann reached page 120 of Emma &lt;1815&gt;',
    'ann started Emma &lt;1815&gt;',
  ])
  expect(new Set(feed.items.map(({ id }) => id as string)).size).toBe(2)
  expect(feed.items[0]!.contentSnippet).toContain('by Jane Austen')
  const page = await fetch(feed.items[0]!.link!)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Emma &lt;1815&gt;')
  const german = await parse(`${activityPath}?lang=de`)
  expect(german.items[1]!.title).toBe('ann hat „Emma &lt;1815&gt;“ angefangen')
})

it('tells which books are on a shelf, the newest first', async () => {
  await add(shelf, 'Persuasion', { authors: ['Jane Austen'], status: 'planning' })
  const feed = await parse(`/shelf/${shelf}/feed.atom`)
  expect(feed.title).toBe('Winter & snow, a shelf by ann')
  expect(feed.items.map(({ title }) => title)).toEqual(['Persuasion', 'Emma &lt;1815&gt;'])
  expect(feed.link).toBe(`${octavo.url}/shelf/${shelf}`)
})

it('has finished days and the ends of goals as a calendar', async () => {
  await finish('Sanditon')
  const books = client.collection('readings')
  const readings = await books.getFullList<{ id: string; finished: string }>()
  const finished = readings.find((one) => one.finished)!
  await books.update(finished.id, { started: '2026-03-01', finished: '2026-03-14' })
  await client
    .collection<Goal>('goals')
    .create({ user: user, kind: 'books', target: 12, from: '2026-01-01', to: '2026-12-31' })
  const events = await calendarEvents()
  expect(events.map((one) => [one.summary, one.startDate.toString()])).toEqual([
    ['Finished Sanditon', '2026-03-14'],
    ['Goal: 12 books', '2026-12-31'],
  ])
  expect(events.every((one) => one.startDate.isDate)).toBe(true)
  // A day that isn't known whole has no place in a calendar.
  await books.update(finished.id, { started: '2026', finished: '2026' })
  expect((await calendarEvents()).map(({ summary }) => summary)).toEqual(['Goal: 12 books'])
})

it('is readable whatever characters a title has', async () => {
  const damaged = 'Dam\u0001aged\u000B \uFFFE]]> & <b>book</b> \u{1F4D6}\u001F'
  const whole = 'Damaged ]]> & <b>book</b> \u{1F4D6}'
  await finish(damaged)
  const asHtml = escapeUTF8(whole)
  expect((await parse(activityPath)).items[0]).toMatchObject({ title: `ann finished ${asHtml}` })
  expect((await parse(`/shelf/${shelf}/feed.atom`)).items[0]).toMatchObject({ title: asHtml })
  const summaries = (await calendarEvents()).map(({ summary }) => summary)
  expect(summaries).toContain(`Finished ${whole}`)
})

it.each([activityPath, `/shelf/${shelf}/feed.atom`, calendarPath])(
  'answers only what has changed since, at %s',
  async (path) => {
    const first = await ask(path)
    const known = { 'If-None-Match': first.headers.get('etag')! }
    expect((await ask(path, known)).status).toBe(304)
    await finish(`Another for ${path}`)
    const second = await ask(path, known)
    expect(second.status).toBe(200)
    expect(second.headers.get('cache-control')).toBe('public, no-cache')
  },
)

it('is read page by page, as its links say', async () => {
  const long = await shelve('A long shelf')
  const titles = Array.from({ length: 60 }, (_, place) => `Volume ${place}`)
  for (const some of [titles.slice(0, 50), titles.slice(50)]) {
    const batch = client.createBatch()
    for (const title of some)
      batch.collection('user_books').create({ shelf: long, title, authors: [], status: 'planning' })
    await batch.send()
  }
  const links = async (path: string) => {
    const head = (await (await ask(path)).text()).split('<entry>')[0]!
    const found = head.matchAll(/<link rel="(\w+)" href="([^"]+)"\/>/g)
    return Object.fromEntries([...found].map(([, rel, href]) => [rel, href]))
  }
  const path = `/shelf/${long}/feed.atom`
  const first = octavo.url + path
  const { next, ...others } = await links(`${path}?lang=de`)
  expect(others).toEqual({ alternate: `${octavo.url}/shelf/${long}`, self: `${first}?lang=de` })
  expect(next).toBe(`${first}?lang=de&amp;page=2`)
  expect(await links(`${path}?page=2`)).toMatchObject({
    self: `${first}?page=2`,
    first,
    previous: first,
  })
  const pages = await Promise.all([parse(path), parse(`${path}?page=2`)])
  expect(pages.map(({ items }) => items.length)).toEqual([50, 10])
  const all = pages.flatMap(({ items }) => items.map(({ title }) => title))
  expect(new Set(all)).toEqual(new Set(titles))
  for (const page of ['0', '-1', '1.5', 'x', '201', '9999999'])
    expect((await ask(`${path}?page=${page}`)).status, page).toBe(404)
})

it('pages name their feeds, and private ones have none', async () => {
  const linked = async (path: string) =>
    [
      ...(await (await ask(path)).text()).matchAll(
        /<link rel="alternate" type="([^"]+)" href="([^"]+)"/g,
      ),
    ].map(([, type, href]) => [type, href])
  const atom = 'application/atom+xml'
  expect(await linked('/u/ann')).toContainEqual([atom, `${octavo.url}${activityPath}`])
  expect(await linked(`/shelf/${shelf}`)).toContainEqual([
    atom,
    `${octavo.url}/shelf/${shelf}/feed.atom`,
  ])
})

it('shows nothing that a visitor may not see, to nobody', async () => {
  await add(secret, 'A secret book', { status: 'reading' })
  const paths = [activityPath, calendarPath]
  const cookie = await cookieOf(octavo, token)
  for (const headers of [{}, { Cookie: cookie }]) {
    for (const path of paths)
      expect(await (await ask(path, headers)).text()).not.toContain('secret')
    expect((await ask(`/shelf/${secret}/feed.atom`, headers)).status).toBe(404)
  }
  await setPrivate(true)
  onTestFinished(() => setPrivate(false))
  for (const path of [...paths, `/shelf/${shelf}/feed.atom`, '/u/nobody-at-all/feed.atom'])
    expect((await ask(path, { Cookie: cookie })).status, path).toBe(404)
})

it('has a reader’s own feed and calendar at addresses that only they know', async () => {
  const book = await add(secret, 'A book in secret', { status: 'reading', isPrivate: true })
  await client.collection('user_books').update(book, { status: 'completed' })
  const feeds = client.collection('private_feeds')
  const made = await feeds.create()
  const at = (secretOf: object, format: string) =>
    `/feeds/${String((secretOf as { secret: unknown }).secret)}.${format}`
  expect(await feeds.getOne(made.id)).not.toHaveProperty('secret')

  const feed = await ask(at(made, 'atom'))
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  expect(feed.headers.get('cache-control')).toBe('private, no-store')
  expect(feed.headers.get('x-robots-tag')).toBe('noindex')
  const { items } = await new Parser().parseString(await feed.text())
  expect(items.map(({ title }) => title)).toContain('ann finished A book in secret')
  const again = await ask(at(made, 'atom'), { 'If-None-Match': feed.headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const german = await (await ask(`${at(made, 'atom')}?lang=de`)).text()
  expect(german).toContain('A book in secret')
  const calendar = new ICAL.Component(
    ICAL.parse(await (await ask(at(made, 'ics'))).text()) as unknown[],
  )
  const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one).summary)
  expect(events).toContain('Finished A book in secret')

  await setPrivate(true)
  onTestFinished(() => setPrivate(false))
  expect((await ask(at(made, 'atom'))).status).toBe(200)
  for (const [format, name] of [
    ['atom', 'a'.repeat(45)],
    ['ics', ''],
    ['txt', String(made['secret'])],
    ['atom', String(made['secret']).slice(1)],
    ['atom', `${String(made['secret'])}/x`],
  ])
    expect((await ask(`/feeds/${name}.${format}`)).status, name).toBe(404)
  const post = await fetch(octavo.url + at(made, 'atom'), { method: 'POST' })
  expect(post.status).toBe(404)
  await expect.poll(async () => (await feeds.getOne(made.id))['last_used'] as string).not.toBe('')

  const batch = client.createBatch()
  batch.collection('private_feeds').delete(made.id)
  batch.collection('private_feeds').create({})
  const renewed = (await batch.send()).at(-1)?.body as { id: string; secret: string }
  expect((await ask(at(made, 'atom'))).status).toBe(404)
  expect((await ask(at(renewed, 'ics'))).status).toBe(200)
  await feeds.delete(renewed.id)
  expect((await ask(at(renewed, 'ics'))).status).toBe(404)
})
