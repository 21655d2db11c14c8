import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import PocketBase from 'pocketbase'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres, openSqlite } from '#records/index.ts'
import { subscribe } from '#tests/access/subscriber.ts'
import { childEnv } from '#tests/child-env.ts'
import { suiteCleanup, type OnCleanup } from '#tests/cleanup.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/readers.ts')
const password = 'burning the midnight oil'
const engines = ['sqlite', 'postgres'] as const

type Place = Record<string, string>

/** A new library's settings. */
async function newPlace(engine: (typeof engines)[number], onCleanup: OnCleanup): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-readers-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  await copyStarterIndex(folder)
  const url = engine === 'postgres' ? await newMigratedUrl(onCleanup) : undefined
  return { DATA_DIR: folder, APP_URL: 'http://octavo.test', ...(url && { DATABASE_URL: url }) }
}

const start = (place: Place, settings: Place = {}) =>
  startOctavo({ ...place, APP_URL: '', SIGN_IN_CODE: 'off', ...settings })

/** Runs the command, as npm does where it is given a text on standard input. */
async function readers(place: Place, words: string[], input?: string) {
  if (input === undefined) return runModule(command, words, place)
  const child = spawn(process.execPath, [command, ...words], { env: { ...childEnv, ...place } })
  const ended = once(child, 'close')
  child.stdin.end(input)
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code: code as unknown, said: said.trim(), failed: failed.trim() }
}

const done = (said: unknown) => ({ code: 0, said, failed: expect.any(String) as string })
const refused = (failed: RegExp) => ({
  code: 1,
  said: '',
  failed: expect.stringMatching(failed) as string,
})

function visitor({ url }: Octavo): PocketBase {
  const client = new PocketBase(url)
  client.autoCancellation(false)
  return client
}

const signIn = (octavo: Octavo, email: string, secret = password) =>
  visitor(octavo).collection('users').authWithPassword(email, secret)

const accountOf = (name: string) => ({
  email: `${name}@example.org`,
  password,
  passwordConfirm: password,
})

/** An account with a picture, a shelf and a book on it, signed in to. */
async function openReader(octavo: Octavo, username: string) {
  const client = visitor(octavo)
  const form = { ...accountOf(username), username }
  const { email } = form
  const { id } = await client.collection('users').create(form)
  await client.collection('users').authWithPassword(email, password)
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const avatar = new File([Uint8Array.from(picture)], 'avatar.png', { type: 'image/png' })
  await client.collection('users').update(id, { avatar })
  const shelves = client.collection('bookshelves')
  const shelf = await shelves.create({ name: 'Seen by all', visibility: 'public' })
  const book = { title: 'Emma', shelf: shelf.id, status: 'completed', rating: 10 }
  await client.collection('user_books').create(book)
  const live = (topics: string[], token?: string) =>
    subscribe({ fetch: (path, init) => fetch(octavo.url + path, init) }, token, topics)
  return { id, email, client, shelf: shelf.id, live }
}

/** @returns the names of the tables, and of the upload folders, where something of an id is left */
async function tracesOf(place: Place, id: string): Promise<string[]> {
  const url = place['DATABASE_URL']
  const folder = place['DATA_DIR'] ?? ''
  const database = url ? await openPostgres(url) : openSqlite(join(folder, 'octavo.db'))
  const tables = await database.query(
    url
      ? `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`
      : `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1`,
  )
  const found: string[] = []
  for (const [name] of tables) {
    const rows = await database.query(`SELECT * FROM "${String(name)}"`)
    if (JSON.stringify(rows, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v)).includes(id))
      found.push(String(name))
  }
  await database.close()
  const files = readdirSync(join(folder, 'files'), { recursive: true }).map(String)
  return [...found, ...files.filter((name) => name.includes(id))]
}

// The tests are steps with one library.
describe.each(engines)('npm run readers, on %s', (engine) => {
  let place: Place
  let octavo: Octavo
  const onCleanup = suiteCleanup()
  beforeAll(async () => {
    place = await newPlace(engine, onCleanup)
  })
  afterAll(() => octavo?.stop())

  test('readers are listed and shown', async () => {
    expect(await readers({ DATA_DIR: place['DATA_DIR'] ?? '' }, ['list'])).toEqual(
      refused(/^there is no database at/),
    )
    octavo = await start(place)
    expect(await readers(place, ['list'], '')).toEqual(done('There are no readers yet.'))
    const bea = await openReader(octavo, 'bea')
    await visitor(octavo)
      .collection('users')
      .create({ ...accountOf('ann'), username: 'ann' })
    const today = new Date().toISOString().slice(0, 10)
    const list = await readers(place, ['list'])
    expect(list.said.split('\n')).toEqual([
      expect.stringMatching(/^USERNAME +EMAIL +SINCE +LAST SEEN +BOOKS +PICTURES$/),
      expect.stringMatching(new RegExp(`^ann +ann@example.org +${today} +- +0 +0 B$`)),
      expect.stringMatching(new RegExp(`^bea +bea@example.org +${today} +${today} +1 +\\d+ B$`)),
    ])
    const { said } = await readers(place, ['list', '--json'])
    expect(JSON.parse(said)).toMatchObject([
      { username: 'ann', books: 0, seen: null, sessions: 0, isVerified: false },
      { id: bea.id, username: 'bea', email: bea.email, books: 1, shelves: 1, pictures: 1 },
    ])
    const rows = await readers(place, ['list', '--tsv'])
    const [head, ...lines] = rows.said.split('\n').map((line) => line.split('\t'))
    const cells = lines.map((line) => Object.fromEntries(head!.map((name, at) => [name, line[at]])))
    expect(cells).toEqual([
      expect.objectContaining({ username: 'ann', books: '0', last_seen: '', verified: 'false' }),
      expect.objectContaining({ username: 'bea', email: bea.email, books: '1', id: bea.id }),
    ])
    expect(Number(cells[1]!['pictures'])).toBeGreaterThan(0)
    expect(await readers(place, ['list', '--tsv', '--json'])).toEqual(
      refused(/^choose one of --json and --tsv$/),
    )
    const shown = await readers(place, ['show', 'Bea@Example.org'])
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.said).toContain('Email:      bea@example.org (not confirmed)\n')
    expect(shown.said).toContain('Signed in:  1 session\n')
    expect(shown.said).toContain('Library:    1 book on 1 shelf\n')
    expect(await readers(place, ['show', 'nobody'])).toEqual(refused(/^there is no reader nobody$/))
  })

  test.runIf(engine === 'postgres')(
    'a command that has not the server’s secret changes nothing',
    async () => {
      using elsewhere = mkdtempDisposableSync(join(tmpdir(), 'octavo-readers-'))
      const lost = { ...place, DATA_DIR: elsewhere.path }
      expect(await readers(lost, ['delete', 'bea', '--yes'])).toEqual(
        refused(/^Nothing was deleted: there is no secret in /),
      )
      expect(readdirSync(elsewhere.path)).toEqual([])
      await signIn(octavo, 'bea@example.org')
    },
  )

  test('what readers sign in with is changed', async () => {
    const dan = await openReader(octavo, 'dan')
    const users = visitor(octavo).collection('users')
    const email = 'daniel@example.org'
    const change = (to: string) => readers(place, ['change-email', 'dan', to])

    const ended = 'Error: the stream ended'
    // On SQLite those who hear of records connect anew once another process has written.
    const listener = await dan.live(['bookshelves/*'])
    const parted = engine === 'sqlite' ? listener.nextOf('@session').catch(String) : ended
    expect(await change('Daniel@example.org')).toMatchObject({ code: 0 })
    expect(await parted).toBe(ended)
    await expect(signIn(octavo, dan.email)).rejects.toMatchObject({ status: 400 })
    const moved = await signIn(octavo, email)
    expect(moved.record).toMatchObject({ id: dan.id, verified: false })

    const told = (await dan.live(['@session'], moved.token)).nextOf('@session')
    expect(await readers(place, ['set-password', 'dan'], 'set by hand\n')).toMatchObject({
      code: 0,
    })
    expect(JSON.parse(await told)).toEqual({ action: 'ended' })
    const { record, token: session } = await signIn(octavo, email, 'set by hand')
    expect(record.id).toBe(dan.id)
    expect(await readers(place, ['set-password', 'dan'], 'short\n')).toEqual(
      refused(/^The password was not changed: Password must be at least 8 character\(s\)$/),
    )
    await signIn(octavo, email, 'set by hand')

    const stays = (reason: string) => refused(new RegExp(`^The email was not changed: ${reason}$`))
    expect(await change('bea@example.org')).toEqual(stays('another reader signs in as bea@.*'))
    expect(await change('nowhere')).toEqual(stays('nowhere is not an email address'))
    expect(await change('Daniel@example.org')).toEqual(stays(`dan already signs in as ${email}`))

    const client = visitor(octavo)
    client.authStore.save(session)
    expect(await readers(place, ['sign-out', 'dan'])).toEqual(
      done('Signed dan out everywhere (2 sessions).'),
    )
    await expect(client.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })

    const reset = await readers(place, ['reset-link', 'dan'])
    expect(reset.failed).toMatch(/^Works once, until \S+ \S+ UTC\.$/)
    const link = new URL(reset.said)
    expect(link.origin + link.pathname).toBe('http://octavo.test/auth/reset-password')
    const token = link.searchParams.get('token') ?? ''
    await users.confirmPasswordReset(token, 'a new beginning', 'a new beginning')
    const again = users.confirmPasswordReset(token, 'and another one', 'and another one')
    await expect(again).rejects.toMatchObject({ status: 400 })
    // The link came from the operator, so nobody has shown to read mail to that email.
    const back = await signIn(octavo, email, 'a new beginning')
    expect(back.record).toMatchObject({ id: dan.id, verified: false })
    await expect(signIn(octavo, email, 'set by hand')).rejects.toMatchObject({ status: 400 })

    await octavo.stop()
    expect(await readers(place, ['set-password', 'dan'], 'set at night\n')).toMatchObject({
      code: 0,
    })
    octavo = await start(place)
    await signIn(octavo, email, 'set at night')

    const abroad = 'Dan@почта.рф'
    expect(await change(abroad)).toMatchObject({ code: 0 })
    expect(await readers(place, ['show', abroad])).toMatchObject({ code: 0 })
    expect(await change(abroad)).toEqual(stays('dan already signs in as dan@xn--80a1acny.xn--p1ai'))
  })

  test('an account is created, and its password is on no command line', async () => {
    const create = (words: string[], input: string) => readers(place, ['create', ...words], input)
    expect(await create(['Gus', 'Gus@Example.org', '--name', 'Gus G.'], `${password}\n`)).toEqual(
      done('Added gus, who signs in as gus@example.org.'),
    )
    const { record } = await signIn(octavo, 'gus@example.org')
    expect(record).toMatchObject({ username: 'gus', name: 'Gus G.', verified: false })
    const fails = (reason: string) => refused(new RegExp(`^Nobody was added: ${reason}$`))
    const again = (username: string, email: string) => create([username, email], `${password}\n`)
    expect(await again('gus', 'g@example.org')).toEqual(fails('the username gus is taken'))
    expect(await again('gusta', 'gus@example.org')).toEqual(
      fails('another reader signs in as gus@example.org'),
    )
    expect(await again('gusta', 'nowhere')).toEqual(fails('nowhere is not an email address'))
    expect(await again('admin', 'g@example.org')).toEqual(fails('This username is reserved\\.'))
    expect(await create(['gusta', 'g@example.org'], 'short\n')).toEqual(
      fails('Password must be at least 8 .*'),
    )
    expect(await create(['gusta', 'g@example.org', password], '')).toEqual(
      refused(/is one argument too many/),
    )
    expect((await readers(place, ['list', '--tsv'])).said).not.toContain('gusta')
  })

  test('an administrator is made, and made a reader like any other again', async () => {
    const { email, client } = await openReader(octavo, 'hal')
    const isAdmin = async () =>
      (await client.collection('users').authRefresh()).record['isAdmin'] as unknown
    expect(await isAdmin()).toBe(false)
    expect(await readers(place, ['admin', email])).toEqual(done('hal administers the site.'))
    expect(await isAdmin()).toBe(true)
    expect((await readers(place, ['list'])).said).toContain('hal (admin)')
    expect((await readers(place, ['show', 'hal'])).said).toContain('Admin:      yes\n')
    expect(await readers(place, ['unadmin', 'hal'])).toEqual(
      done('hal is a reader like any other.'),
    )
    expect(await isAdmin()).toBe(false)
    expect(await readers(place, ['admin', 'nobody'])).toEqual(
      refused(/^there is no reader nobody$/),
    )
  })

  test('an account is deleted as its reader would', async () => {
    const own = await openReader(octavo, 'own')
    const cat = await openReader(octavo, 'cat')
    expect(await tracesOf(place, cat.id)).toContain('user_books')
    await own.client.collection('users').delete(own.id)

    expect(await readers(place, ['delete', 'cat'], 'cats\n')).toEqual(
      refused(/Nothing was deleted: that is not the username$/),
    )
    expect(await readers(place, ['delete', 'cat'], '')).toEqual(
      refused(/^Nothing was deleted: standard input is empty$/),
    )
    expect(await cat.client.collection('users').getOne(cat.id)).toMatchObject({ username: 'cat' })

    const session = await cat.live(['@session'], cat.client.authStore.token)
    const ended = session.nextOf('@session')
    expect(await readers(place, ['delete', cat.email], 'cat\n')).toEqual(
      done('Deleted the account of cat.'),
    )
    expect(JSON.parse(await ended)).toEqual({ action: 'ended' })
    await expect(cat.client.collection('users').authRefresh()).rejects.toMatchObject({
      status: 401,
    })
    await expect(signIn(octavo, cat.email)).rejects.toMatchObject({ status: 400 })
    const shelf = visitor(octavo).collection('bookshelves').getOne(cat.shelf)
    await expect(shelf).rejects.toMatchObject({ status: 404 })
    expect(await tracesOf(place, cat.id)).toEqual(await tracesOf(place, own.id))
    // Neither name is free at once.
    for (const username of ['own', 'cat']) {
      const form = { ...accountOf('new'), username }
      await expect(visitor(octavo).collection('users').create(form)).rejects.toMatchObject({
        response: { data: { username: { code: 'validation_not_unique' } } },
      })
    }
  })

  test('a profile is hidden and shown again', async () => {
    const page = () => fetch(`${octavo.url}/u/bea`).then(({ status }) => status)
    expect(await readers(place, ['hide', 'bea@example.org'])).toMatchObject({ code: 0 })
    expect(await page()).toBe(404)
    expect((await readers(place, ['list'])).said).toContain('bea (hidden)')
    expect(await readers(place, ['unhide', 'bea'])).toMatchObject({ code: 0 })
    expect(await page()).toBe(200)
  })

  test('an invitation lets one person sign up', async () => {
    await octavo.stop()
    octavo = await start(place, { SIGN_UPS: 'invitation' })
    const signUp = (name: string, invitation?: string) =>
      visitor(octavo)
        .collection('users')
        .create({ ...accountOf(name), invitation })
    await expect(signUp('eve')).rejects.toMatchObject({ status: 400 })
    expect(await readers(place, ['invitations'])).toEqual(done('No open invitations.'))
    const env = { ...place, SIGN_UPS: 'invitation' }
    const first = await readers(env, ['invite'])
    const second = await readers(env, ['invite', '--days', '3'])
    const keyOf = ({ said }: typeof first) => new URL(said).searchParams.get('invitation') ?? ''
    expect(first.said).toMatch(/^http:\/\/octavo\.test\/signup\?invitation=[0-9a-f]{40}$/)
    const id = /uninvite (\w+)$/.exec(first.failed)?.[1] ?? ''
    const other = /uninvite (\w+)$/.exec(second.failed)?.[1] ?? ''
    const list = await readers(place, ['invitations'])
    // The next to expire comes first.
    expect(list.said.split('\n').map((line) => line.split(' ')[0])).toEqual(['ID', other, id])
    expect(list.said).not.toContain(keyOf(first))

    await signUp('eve', keyOf(first))
    await expect(signUp('fay', keyOf(first))).rejects.toMatchObject({ status: 400 })
    expect(await readers(place, ['uninvite', id])).toEqual(
      refused(new RegExp(`^there is no open invitation ${id}$`)),
    )
    expect(await readers(place, ['uninvite', other])).toMatchObject({ code: 0 })
    await expect(signUp('fay', keyOf(second))).rejects.toMatchObject({ status: 400 })
  })
})
