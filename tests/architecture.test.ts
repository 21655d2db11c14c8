import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { areas, productTestsOf } from './areas.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Every file of the work tree that is not ignored, whether committed yet or not. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))

const itself = 'tests/architecture.test.ts'
const source = (file: string) => readFileSync(join(root, file), 'utf8')
const isCode = (file: string) => /\.tsx?$/.test(file)
const isTest = (file: string) =>
  /\.(test|fixture)\.tsx?$/.test(file) || file.startsWith('tests/') || file.startsWith('bench/')
const code = files.filter(isCode)

/**
 * Who may import whom: `from` a folder (the longest that fits counts), `to` what it may reach.
 * What is not written here is refused. A place may always import from itself.
 */
const allowed: Record<string, readonly string[]> = {
  shared: [],
  threads: [],
  records: ['threads'],
  catalogue: ['shared', 'threads'],
  server: ['shared', 'threads', 'records', 'catalogue'],
  'web/i18n': ['shared'],
  'web/ui': ['shared', 'web/i18n'],
  'web/api': ['shared', 'web/i18n'],
  'web/features': ['shared', 'web/i18n', 'web/ui', 'web/api'],
  'web/routes': ['shared', 'web/i18n', 'web/ui', 'web/api', 'web/features'],
  web: ['shared', 'web/i18n', 'web/ui', 'web/api', 'web/features', 'web/routes'],
  tests: ['shared', 'threads', 'records', 'catalogue', 'server', 'web'],
  bench: ['shared', 'threads', 'records', 'catalogue', 'server', 'tests'],
}

/** Rooms that are entered through their doors only, except by tests and the bench. */
const doors: Record<string, readonly string[]> = {
  records: ['records/index.ts'],
  catalogue: ['catalogue/index.ts', 'catalogue/in-thread.ts'],
}

/** Features stay apart from each other; these files are what others may use of one. */
const featureDoors = [
  'web/features/catalogue/offers-button',
  'web/features/library/add-to-shelf/',
  'web/features/library/add-book/',
  'web/features/library/book-editor/',
  'web/features/library/command/',
  'web/features/scan/scan-action',
  'web/features/scan/scan-dialog',
  'web/features/profile/report-dialog',
  'web/features/profile/share-picture',
  'web/features/billing/manage',
  'web/features/billing/plan-action',
]

function place(file: string): string | undefined {
  const parts = file.split('/')
  const places = [parts.slice(0, 2).join('/'), parts[0] ?? '']
  return places.find((name) => name in allowed && file.startsWith(`${name}/`))
}

/** Import targets inside the repository, as paths from its root, with or without extension. */
function imports(file: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s*)['"]([^'"]+)['"]/gm
  return [...source(file).matchAll(pattern)].flatMap(([, target = '']) => {
    if (target.startsWith('#')) return [target.slice(1)]
    if (target.startsWith('.'))
      return [
        relative(root, resolve(root, dirname(file), target))
          .split('\\')
          .join('/'),
      ]
    return []
  })
}

function mayImport(file: string, target: string): boolean {
  const from = place(file)
  const to = place(target)
  if (from === undefined || to === undefined) return !file.includes('/') || !target.includes('/')
  if (isTest(file) && from !== 'web' && !from.startsWith('web/')) {
    return allowed[from]?.includes(to) || from === to || to === 'tests'
  }
  if (isTest(file) && to === 'tests') return true
  if (from === 'web/features' && to === from) return mayUseFeature(file, target)
  if (from === to) return true
  // `allowed` names rooms; a place inside web is only reached where it is named itself.
  if (!allowed[from]?.includes(to)) return false
  return doors[to]?.includes(target) ?? true
}

function mayUseFeature(file: string, target: string): boolean {
  const feature = (path: string) => path.split('/')[2]
  return feature(file) === feature(target) || featureDoors.some((door) => target.startsWith(door))
}

test('rooms import only what they may', () => {
  const broken = code.flatMap((file) =>
    imports(file)
      .filter((target) => !target.startsWith('node_modules') && !mayImport(file, target))
      .map((target) => `${file} imports ${target}`),
  )
  expect(broken).toEqual([])
})

/**
 * The layers of a room, the lowest first: a folder or file imports its own layer and those before it.
 * Every file of the room belongs to one.
 */
const layers: Record<string, readonly (readonly string[])[]> = {
  records: [
    ['errors.ts', 'long-ago.ts', 'memo.ts', 'random.ts'],
    ['database'],
    ['schema'],
    ['limits'],
    ['passwords.ts'],
    ['files'],
    ['filter'],
    ['access'],
    ['read'],
    ['write'],
    ['auth'],
    ['realtime'],
    ['routes'],
    ['create-records.ts', 'index.ts'],
  ],
  catalogue: [
    [
      'files.ts',
      'lazy-fetch.ts',
      'open-or-recreate.ts',
      'public-network.ts',
      'published-date.ts',
      'yield-to-requests.ts',
    ],
    ['text'],
    ['co-reads'],
    ['index'],
    ['reading'],
    ['building'],
    ['learning'],
    ['search'],
    ['starter', 'starter-works.ts'],
    ['import'],
    ['catalogue.ts'],
    ['model'],
    ['sources'],
    ['covers', 'gutenberg.ts', 'language.ts', 'stores.ts', 'offers.ts'],
    ['in-thread.ts', 'index.ts'],
  ],
  server: [
    ['network', 'runtime'],
    ['settings'],
    ['storage'],
    ['collections', 'titles'],
    ['http'],
    ['billing', 'mail'],
    ['library'],
    ['moderation'],
    ['accounts', 'catalogue', 'import', 'pages'],
    ['completion', 'devices', 'feeds', 'lite', 'mcp', 'webhooks'],
    ['migrations', 'readers'],
    ['open'],
    ['backup', 'demo'],
    ['health'],
    ['admin'],
    ['metrics'],
    ['app.ts', 'sweeps.ts'],
    ['startup'],
    ['commands'],
    ['start.ts'],
  ],
}

test.each(Object.entries(layers))('the folders of %s are layers', (room, order) => {
  const layerOf = (path: string) =>
    order.findIndex((names) => names.includes(path.split('/')[1] ?? ''))
  const own = code.filter((file) => file.startsWith(`${room}/`) && !isTest(file))
  expect(own.filter((file) => layerOf(file) < 0)).toEqual([])
  const upward = own.flatMap((file) =>
    imports(file)
      .filter((target) => target.startsWith(`${room}/`) && layerOf(target) > layerOf(file))
      .map((target) => `${file} imports ${target}`),
  )
  expect(upward).toEqual([])
})

test('files of the record service import each other in one direction, types too', () => {
  const graph = new Map(
    code
      .filter((file) => file.startsWith('records/') && !isTest(file))
      .map((file) => [file, imports(file)]),
  )
  // What imports nothing that is left is in no cycle.
  for (let before = -1; before !== graph.size;) {
    before = graph.size
    for (const [file, targets] of graph)
      if (!targets.some((target) => graph.has(target))) graph.delete(file)
  }
  expect([...graph.keys()]).toEqual([])
})

test('a statement that writes names its table in the call', () => {
  const writing =
    /\b(?:(?:run|query)\(\s*[\w.#]+,|prepared<[^()]*>\(\s*\([^()]*\) =>)\s*sql`\s*(?:INSERT|UPDATE|DELETE)\b/
  const broken = code.filter(
    (file) => /^(records|server)\//.test(file) && !isTest(file) && writing.test(source(file)),
  )
  expect(broken).toEqual([])
})

test('imports name their file with its extension', () => {
  const broken = code.flatMap((file) =>
    imports(file)
      .filter((target) => !/\.(tsx?|json|css)(\?\w+)?$/.test(target) && !target.includes('+types/'))
      .map((target) => `${file} imports ${target}`),
  )
  expect(broken).toEqual([])
})

test('rooms that run in the browser use nothing of Node, shared nothing of React or the DOM', () => {
  const foreign = (file: string) => {
    if (isTest(file)) return undefined
    const text = source(file)
    if (/^(shared|web)\//.test(file) && /from ['"](node:|pg['"]|kysely)/.test(text)) {
      return file.includes('entry.server') || file.includes('.server.') ? undefined : 'Node'
    }
    if (file.startsWith('shared/') && /from ['"](react|hono|@tanstack)/.test(text)) return 'React'
    return undefined
  }
  expect(code.filter(foreign)).toEqual([])
})

/** The settings, the file they may be kept in, and what npm says of itself. */
const environmentReaders = [
  'server/settings/config.ts',
  'server/settings/environment.ts',
  'server/runtime/signals.ts',
]

test('only the configuration reads the environment', () => {
  const readers = code.filter(
    (file) =>
      /^(shared|threads|records|catalogue|server|web)\//.test(file) &&
      !isTest(file) &&
      !environmentReaders.includes(file) &&
      // Handing all of it to a child process reads nothing, and NODE_ENV is the tools' own.
      /(?<!\.\.\.)process\.env\b(?!\['NODE_ENV'\])/.test(source(file)),
  )
  expect(readers).toEqual([])
})

test('the record service knows nothing of what it records', () => {
  const told = files.filter((file) => file.startsWith('records/') && /book/i.test(source(file)))
  expect(told).toEqual([])
})

test('no file is a drawer', () => {
  const drawers = ['utils', 'helpers', 'common', 'misc', 'lib', 'manager', 'service', 'types']
  const named = (file: string) => basename(file).replace(/\..*$/, '')
  const broken = files.filter(
    (file) =>
      drawers.includes(named(file)) ||
      dirname(file)
        .split('/')
        .some((f) => drawers.includes(f)),
  )
  expect(broken).toEqual([])
})

test('file names are kebab-case', () => {
  const odd = code.filter(
    // A route's file may say that a part of its address is variable: `$id.tsx`.
    (file) => !/^(\$?[a-z0-9]+(-[a-z0-9]+)*|[a-z]+)(\.[$a-z0-9-]+)*\.tsx?$/.test(basename(file)),
  )
  expect(odd).toEqual([])
})

test('nothing in the repository points at one machine or one package registry', () => {
  const text = files.filter(
    (file) => !/\.(png|woff2?|ico|jpe?g|webp|db|gz|br)$/.test(file) && file !== itself,
  )
  const words = ['registry.npmjs', 'npmmirror', 'artifactory', '"resolved": "', '/work/', '/root/']
  const broken = text.flatMap((file) =>
    words.filter((word) => source(file).includes(word)).map((word) => `${file}: ${word}`),
  )
  expect(broken).toEqual([])
})

test('the code has no escape from its types', () => {
  const escapes = /\bas any\b|: any\b|<any>|@ts-(ignore|nocheck|expect-error)/
  const broken = code.filter((file) => file !== itself && escapes.test(source(file)))
  expect(broken).toEqual([])
})

test('`npm test -- --changed` knows which tests of the running product look at what', () => {
  const tests = files.filter((file) => productTestsOf(file).includes(file))
  const named = Object.values(areas).flatMap((names) =>
    names.map((name) => `tests/${name}.test.ts`),
  )
  expect([...new Set(named)].toSorted()).toEqual(tests.toSorted())
  const folders = files.flatMap(
    (file) => /^(?:records|server|web\/features)\/[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  )
  expect([...new Set(folders)].filter((folder) => !(folder in areas))).toEqual([])
  const begun = (area: string) => files.some((file) => file.startsWith(area))
  expect(Object.keys(areas).filter((area) => !begun(area))).toEqual([])
})

test('every promise of docs/trust.md names tests that exist, one of them with its number', () => {
  const rows = [...source('docs/trust.md').matchAll(/^\| (R\d+) +\|[^|]+\|([^|]+)\|/gm)]
  const numbers = Array.from({ length: 52 }, (_, at) => `R${at + 1}`)
  const found = rows.map(([, number]) => number)
  expect(new Set(found).size).toBe(found.length)
  expect(found).toEqual(expect.arrayContaining(numbers))
  const numbered = (number: string) => (file: string) =>
    new RegExp(`['"\`](?:R\\d+, )*${number}(?:, R\\d+)*:`).test(source(file))
  const wrong = rows.flatMap(([, number = '', cell = '']) => {
    let folder = ''
    const named = [...cell.matchAll(/`([\w./-]+)`/g)].map(([, file = '']) => {
      if (file.includes('/')) folder = dirname(file)
      return file.includes('/') ? file : `${folder}/${file}`
    })
    const missing = named.filter((file) => !existsSync(join(root, file)))
    const tests = named.filter((file) => file.endsWith('.test.ts') && existsSync(join(root, file)))
    return [...missing, ...(tests.some(numbered(number)) ? [] : [`no test of ${number}`])]
  })
  expect(wrong).toEqual([])
})
