import { beforeEach, expect, test } from 'vitest'
import {
  ask,
  askAs,
  openFixture,
  operator,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { reportForm, maxReportsPerDay } from '#shared/report.ts'
import { ruleInEnglish } from '#shared/english.ts'
import { refusalOf } from '#shared/rule.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { closeReport, findReport, listOpenReports, setProfileHidden } from './reports.ts'

test('a reason is one of the list, and something else needs words', () => {
  const wrong = (form: object) =>
    reportForm
      .safeParse(form)
      .error?.issues.map((issue) => [issue.path[0], ruleInEnglish(refusalOf(issue))])
  expect(wrong({ reason: 'spam' })).toBeUndefined()
  expect(wrong({ reason: 'boring' })).toEqual([['reason', 'Choose a reason.']])
  expect(wrong({ reason: 'other', details: ' ' })).toEqual([['details', 'Tell us what’s wrong.']])
  expect(wrong({ reason: 'spam', details: 'x'.repeat(1001) })).toEqual([
    ['details', 'Details cannot exceed 1000 characters.'],
  ])
})

describeMigratedDatabases('moderation', (open) => {
  let fixture: Fixture
  let now: number
  let ann: Reader
  let bea: Reader

  beforeEach(async () => {
    now = Date.parse('2026-03-01T12:00:00Z')
    fixture = await openFixture(await open(), () => new Date(now))
    ann = await fixture.reader('ann')
    bea = await fixture.reader('bea')
    return () => fixture.close()
  })

  const spam = { reason: 'spam', details: 'Buys and sells stars.' }
  async function report(reporter: Reader | undefined, reported: string, form: object = spam) {
    const path = `/api/v1/users/${reported}/reports`
    const { status, text } = await askAs(fixture, reporter, 'POST', path, form)
    return { status, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }

  test('a report is kept and mailed to the operator, who closes it', async () => {
    expect(await report(ann, bea.username.toUpperCase())).toMatchObject({ status: 204 })
    const [kept] = await listOpenReports(fixture.database)
    expect(kept).toMatchObject({ reporter: ann.username, reported: bea.username, ...spam })
    expect(fixture.mails).toHaveLength(1)
    expect(fixture.mails[0]).toMatchObject({
      to: operator,
      subject: `A profile was reported: ${bea.username}`,
    })
    expect(fixture.mails[0]?.text).toContain('Buys and sells stars.')
    expect(fixture.mails[0]?.text).toContain(kept?.id)

    expect(await closeReport(fixture.database, kept!.id, new Date(now))).toBe(true)
    expect(await closeReport(fixture.database, kept!.id, new Date(now))).toBe(false)
    expect(await listOpenReports(fixture.database)).toEqual([])
    expect(await findReport(fixture.database, kept!.id)).toMatchObject({
      closed: expect.any(String),
    })
  })

  test('who cannot report, and what cannot be reported', async () => {
    expect(await report(undefined, bea.username)).toMatchObject({ status: 401 })
    expect(await report(undefined, bea.username, {})).toMatchObject({ status: 401 })
    expect(await report(ann, ann.username)).toMatchObject({
      status: 409,
      body: { message: answers.reportYourself },
    })
    expect(await report(ann, bea.username, { reason: 'other' })).toMatchObject({
      status: 400,
      body: { data: { details: { message: 'Tell us what’s wrong.' } } },
    })
    const unknown = await report(ann, 'nobody-at-all')
    expect(unknown).toMatchObject({ status: 404, body: { message: 'User profile not found.' } })
    await setPrivate(bea, true)
    expect(await report(ann, bea.username)).toEqual(unknown)
    await setPrivate(bea, false)
    await setProfileHidden(fixture.database, bea.username, true)
    expect(await report(ann, bea.username)).toEqual(unknown)
    expect(fixture.mails).toEqual([])
    expect(await listOpenReports(fixture.database)).toEqual([])
  })

  test('keeps one of many parallel reports, and limits them per day', async () => {
    const twice = await Promise.all([report(ann, bea.username), report(ann, bea.username)])
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
    expect(twice.find(({ status }) => status === 409)).toMatchObject({
      body: { message: answers.reportAgain },
    })
    const others = await Promise.all(
      Array.from({ length: maxReportsPerDay }, (_, i) => fixture.reader(`other${i}`)),
    )
    const given = await Promise.all(others.map(({ username }) => report(ann, username)))
    expect(given.filter(({ status }) => status === 204)).toHaveLength(maxReportsPerDay - 1)
    const refused = given.findIndex(({ status }) => status === 429)
    expect(given[refused]).toMatchObject({ body: { message: answers.reportTooMany } })
    const late = others[refused]!.username
    expect(await report(bea, late)).toMatchObject({ status: 204 })
    now += 24 * 60 * 60 * 1000 + 1
    expect(await report(ann, late)).toMatchObject({ status: 204 })
  })

  test('an account that goes takes its reports along, and leaves its own without a name', async () => {
    const cid = await fixture.reader('cid')
    await report(ann, bea.username)
    await report(bea, cid.username)
    await bea.client.collection('users').delete(bea.id)
    expect(await listOpenReports(fixture.database)).toMatchObject([
      { reporter: '', reported: cid.username },
    ])
  })

  async function setPrivate({ client }: Reader, isPrivate: boolean): Promise<void> {
    const [settings] = await client.collection('settings').getFullList()
    await client.collection('settings').update(settings!.id, { isPrivate })
  }

  async function furnish({ client }: Reader): Promise<{ shelf: string; book: string }> {
    const shelves = client.collection('bookshelves')
    const shelf = await shelves.create({ name: 'Seen by all', visibility: 'public' })
    const books = client.collection('user_books')
    const ids: string[] = []
    for (const title of ['Emma', 'Persuasion']) {
      const fields = { title, shelf: shelf.id, status: 'completed', rating: 10 }
      ids.push((await books.create(fields)).id)
    }
    return { shelf: shelf.id, book: ids[0]! }
  }

  test('a hidden profile is nowhere but to its owner, as if it were private', async () => {
    await furnish(ann)
    const { shelf, book } = await furnish(bea)
    const { id, username } = bea
    const doors = [
      `/api/collections/users/records/${id}`,
      `/api/collections/profile/records/${id}`,
      `/api/collections/profile/records?filter=(username="${username}")`,
      ...['users', 'profile', 'settings', 'bookshelves', 'user_books', 'activities'].map(
        (name) => `/api/collections/${name}/records`,
      ),
      `/api/collections/bookshelves/records/${shelf}?expand=user`,
      `/api/collections/user_books/records/${book}?expand=user,shelf`,
      `/api/collections/users/records?filter=(bookshelves_via_user.name~"seen")`,
      '/api/v1/users',
      '/api/v1/users?sort=a-z',
      `/api/v1/users?q=${username}`,
      '/api/v1/users?sort=similar',
      `/api/v1/users/${username}/shelves`,
      `/api/v1/usernames/${username}`,
    ]
    const seen = async (viewer: Reader | undefined) => {
      const client = viewer?.client ?? fixture.visitor()
      const answers: unknown[] = []
      for (const door of doors) answers.push(await ask(client, 'GET', door))
      return answers
    }
    const viewers = [undefined, ann]
    const open = await Promise.all(viewers.map(seen))
    const own = await seen(bea)
    await setPrivate(bea, true)
    const closed = await Promise.all(viewers.map(seen))
    await setPrivate(bea, false)
    expect(await setProfileHidden(fixture.database, username.toUpperCase(), true)).toBe(true)
    expect(await Promise.all(viewers.map(seen))).toEqual(closed)
    expect(JSON.stringify(closed)).not.toContain(id)
    expect(JSON.stringify(open)).toContain(id)
    // The owner has everything, and is told; the directory and settings differ for them, too.
    const kept = (answers: unknown[]) =>
      answers.filter((_, at) => !/^\/api\/v1\/users(?:\?|$)|settings/.test(doors[at] ?? ''))
    expect(kept(await seen(bea))).toEqual(kept(own))
    expect(await bea.client.collection('settings').getFullList()).toMatchObject([
      { isHidden: true, isPrivate: false },
    ])

    expect(await setProfileHidden(fixture.database, username, false)).toBe(true)
    expect(await Promise.all(viewers.map(seen))).toEqual(open)
    expect(await setProfileHidden(fixture.database, 'nobody-at-all', true)).toBe(false)
  })

  test('nobody shows a hidden profile again by writing it', async () => {
    await setProfileHidden(fixture.database, bea.username, true)
    const settings = bea.client.collection('settings')
    const [own] = await settings.getFullList()
    await settings.update(own!.id, { isHidden: false, isPrivate: false })
    expect(await settings.getOne(own!.id)).toMatchObject({ isHidden: true })
    await expect(fixture.visitor().collection('users').getOne(bea.id)).rejects.toMatchObject({
      status: 404,
    })
  })
})
