import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, settings } from '#server/settings/config.ts'
import { openImage, whyNoImage, type Image } from '#tests/container.ts'
import { freePort } from '#tests/free-port.ts'
import { startOctavo } from '#tests/octavo.ts'
import { cookieOf, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

const root = dirname(dirname(import.meta.dirname))
const source = (file: string) => readFileSync(join(root, file), 'utf8')
const containerfile = source('Containerfile')
const compose = source('compose.yaml')

/** The text of every match's first group. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one]) => one!)

test('the Containerfile copies what is there, and all that the server imports', () => {
  const kept = all(source('.dockerignore'), /^!(\S+)$/gm)
  expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const made = ['node_modules', 'build']
  const copied = all(containerfile, /^COPY --from=build (.*) \S+$/gm).flatMap((line) =>
    all(line, /\/app\/(\S+)/g),
  )
  expect(copied.filter((path) => !kept.includes(path))).toEqual(made)
  expect(copied).toEqual(
    expect.arrayContaining(['server', 'records', 'shared', 'threads', 'catalogue']),
  )
})

test('the image is built with all that its configuration imports', () => {
  const kept = all(source('.dockerignore'), /^!(\S+)$/gm)
  const configuration = kept.filter((path) => path.endsWith('.ts'))
  expect(configuration).toContain('vite.config.ts')
  const imported = configuration.flatMap((file) => all(source(file), / from '\.\/([^']+)'/g))
  expect(imported.filter((path) => !kept.includes(path.split('/')[0]!))).toEqual([])
})

test('the image is without the packages that only the screens and their builder need', () => {
  const rooms = '{server,records,catalogue,shared,threads}/**/*.ts'
  const isRun = (file: string) => !/\.(test|fixture)\.ts$/.test(file)
  const imported = globSync(rooms, { cwd: root })
    .filter(isRun)
    .flatMap((file) => all(source(file), /(?:from |import\()'((?:@[^'/]+\/)?[^'./#@][^'/]*)/g))
  const { dependencies } = JSON.parse(source('package.json')) as { dependencies: object }
  // Vite is imported in development alone; fonts are read as files.
  const unused = Object.keys(dependencies).filter(
    (name) =>
      name === 'vite' || !(imported.includes(name) || name.startsWith('@expo-google-fonts/')),
  )
  expect(all(containerfile, /^ +dependencies\.(\S+)/gm)).toEqual(unused)
})

test('the Containerfile and compose.yaml use the ports, settings and files there are', () => {
  const defaults = readConfig({})
  expect(all(containerfile, /^EXPOSE (\d+)/gm)).toEqual([String(defaults.port)])
  expect(all(compose, /PORT: '(\d+)'/g)).toEqual([String(defaults.port)])
  const { scripts } = JSON.parse(source('package.json')) as { scripts: { start: string } }
  const command = JSON.parse(all(containerfile, /^CMD (.*)$/gm)[0] ?? '[]') as string[]
  expect(`exec ${command.join(' ')}`).toBe(scripts.start)
  const [volume] = all(containerfile, /^VOLUME (\S+)/gm)
  expect(all(containerfile, /DATA_DIR=(\S+)/g)).toEqual([volume])
  expect(all(compose, /DATA_DIR: (\S+)/g)).toEqual([volume])
  const others = ['APP_URL', 'POSTGRES_USER', 'POSTGRES_PASSWORD']
  const named = all(compose, /^ +([A-Z_]+): /gm)
  expect(named.filter((name) => !settings.includes(name) && !others.includes(name))).toEqual([])
  const files = [...all(compose, /(\.\/[\w./-]+):/g), ...all(compose, /dockerfile: (\S+)/g)]
  expect(files).toHaveLength(2)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  const [processes = ''] = all(source('docs/examples/compose.Caddyfile'), /reverse_proxy (.*) {/g)
  for (const name of processes.split(' '))
    expect(compose).toContain(`\n  ${name.replace(`:${defaults.port}`, ':')}`)
  // The volume of scheduled backups takes over the owner of the image's folder.
  const [backups = 'none'] = all(compose, /BACKUP_TO: \$\{BACKUP_TO-(\S+)\}/g)
  expect(all(containerfile, /install --directory .* (\S+)$/gm)).toEqual([backups])
  expect(all(compose, /'backups:(\S+)'/g)).toEqual([backups, backups, backups])
  // What stands in for a missing SECRET must not be taken for one.
  const [missing] = all(compose, /SECRET:-(\w+)}/g)
  expect(() => readConfig({ SECRET: missing })).toThrow(/SECRET must have at least/)
})

test('the image and the units give freed memory back by the same settings', () => {
  const settings = (file: string) => all(source(file), /(MALLOC_[A-Z_]+=\d+)/g)
  const inImage = settings('Containerfile')
  expect(inImage).toHaveLength(3)
  for (const unit of ['docs/operating.md', 'docs/examples/octavo@.service'])
    expect(settings(unit)).toEqual(expect.arrayContaining(inImage))
})

test('compose.yaml bounds the log of every container', () => {
  const [, services = ''] = /^services:\n(.*?)^\S/ms.exec(compose) ?? []
  const bounded = /^ {4}(?:logging: \*logging|<<: \*(?:octavo|process))$/m
  const all = services.split(/^(?= {2}\w+:)/m)
  expect(all.length).toBeGreaterThan(4)
  expect(all.filter((service) => !bounded.test(service))).toEqual([])
  expect(compose).toMatch(/^x-logging: .*\n.*\n {2}options: { max-size: \d+m, max-file: '\d' }$/m)
  expect(/^x-octavo:.*?^\S/ms.exec(compose)?.[0]).toContain('\n  logging: *logging\n')
})

test('the health check tells a process that answers from one that does not', async () => {
  const [words = ''] = all(containerfile, /^HEALTHCHECK [^[]*CMD (\[.*\])$/gm)
  const [, ...arguments_] = JSON.parse(words) as string[]
  const check = (port: string) =>
    spawnSync(process.execPath, arguments_, { env: { PORT: port } }).status
  const port = String(await freePort())
  const octavo = await startOctavo({ PORT: port, APP_URL: 'https://books.example.org' })
  onTestFinished(async () => void (await octavo.stop()))
  expect(check(port)).toBe(0)
  expect(check(String(await freePort()))).toBe(1)
})

const wanted = process.env['CONTAINER']
const reason = whyNoImage(wanted)
if (reason) console.warn(`The image is not tested: ${reason}`)

describe.skipIf(reason)('the image', { timeout: 600_000 }, () => {
  let image: Image
  beforeAll(() => {
    image = openImage(wanted!)
  }, 1_200_000)
  afterAll(() => image?.close(), 600_000)

  async function start(volume: string, env?: Record<string, string>) {
    const octavo = await image.start(volume, env)
    onTestFinished(async () => void (await octavo.stop()))
    return octavo
  }

  /** A new volume, which has the owner of the image's folder. */
  function newVolume(): string {
    const volume = mkdtempSync(join(tmpdir(), 'octavo-volume-'))
    give(volume)
    return volume
  }
  function give(folder: string): void {
    const [uid, gid] = image.config.User.split(':').map(Number)
    chownSync(folder, uid!, gid!)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chownSync(join(folder, file), uid!, gid!)
  }

  test('is small, and starts as a user who is not root', () => {
    expect(image.size).toBeLessThanOrEqual(450)
    expect(image.config.User).toBe('1000:1000')
    expect(image.config.Volumes).toEqual({ '/data': {} })
    expect(image.config.ExposedPorts).toEqual({ '3000/tcp': {} })
    expect(image.config.Healthcheck.Test[0]).toBe('CMD')
  })

  test('serves from a read-only root file system, and keeps all it has in the volume', async () => {
    const post = await openMailServer()
    onTestFinished(() => post.close())
    const volume = newVolume()
    const touched = image.run(volume, ['sh', '-c', 'id -u; touch /app/x /tmp/x'])
    expect(touched.said).toMatch(/^1000\n(.*Read-only file system\n){2}$/)
    const first = await start(volume, { SMTP_URL: post.url })
    const token = await signUp(first, post)
    await signedIn(first, token)
      .collection('bookshelves')
      .create({ name: 'Kept', visibility: 'private' })
    const env = { PORT: new URL(first.url).port }
    const [, ...health] = image.config.Healthcheck.Test
    expect(image.run(volume, health, env).code).toBe(0)
    expect(image.run(volume, ['node', '--run', 'doctor'])).toMatchObject({ code: 0 })
    const backup = ['node', '--run', 'backup', '--', '/data/backups']
    expect(image.run(volume, backup)).toEqual({
      code: 0,
      said: expect.stringMatching(/^Backed up to \/data\/backups/) as string,
    })
    expect(image.run(volume, ['pg_dump', '--version']).code).toBe(0)
    expect(await first.stop()).toBe(0)
    expect(image.run(volume, health, env).code).toBe(1)

    const second = await start(volume)
    const shelves = await signedIn(second, token).collection('bookshelves').getFullList()
    expect(shelves.map(({ name }) => name as unknown)).toEqual(['Kept'])
    const page = await fetch(`${second.url}/account/settings`, {
      headers: { Cookie: await cookieOf(second, token) },
    })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')])
    expect(await second.stop()).toBe(0)
  })

  test('takes over a library that was kept without a container', async () => {
    const post = await openMailServer()
    onTestFinished(() => post.close())
    const volume = newVolume()
    const before = await startOctavo({ DATA_DIR: volume, SMTP_URL: post.url })
    onTestFinished(async () => void (await before.stop()))
    const token = await signUp(before, post)
    await signedIn(before, token)
      .collection('bookshelves')
      .create({ name: 'Kept', visibility: 'private' })
    await before.stop()
    give(volume)
    const after = await start(volume)
    const shelves = await signedIn(after, token).collection('bookshelves').getFullList()
    expect(shelves.map(({ name }) => name as unknown)).toEqual(['Kept'])
    expect(await after.stop()).toBe(0)
  })
})
