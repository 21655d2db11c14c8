import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

interface Node {
  type: string
  [property: string]: unknown
}

/** A text in code: its words, `{}` for what is put in, and what it stands in. */
interface Text {
  words: string
  kind: 'JSX' | 'code'
  /** Name of the attribute that it is the value of. */
  attribute?: string
  /** Name of the function that it is given to. */
  call?: string
}

/** Attributes with texts that readers see or hear. */
const attributes =
  /^(?:aria-label|aria-valuetext|aria-description|title|placeholder|alt|label|description|hint|summary|message|heading|text|confirmLabel)$/
/** Functions that show what they are given. */
const showing = /^(?:toast(?:\.\w+)?|setError|setProblem|setNotice|tell)$/
const translating = /^(?:\w+\.)?(?:t|rich)$/

function nameOf(node: unknown): string {
  const { type, name, object, property } = (node ?? {}) as Node
  if (type === 'MemberExpression') return `${nameOf(object)}.${nameOf(property)}`
  return typeof name === 'string' ? name : ''
}

const textsIn = (file: string) => textsOf(readFileSync(join(root, file), 'utf8'), file)

function textsOf(source: string, file: string): Text[] {
  const found: Text[] = []
  function walk(node: unknown, place: Pick<Text, 'attribute' | 'call'>): void {
    if (!node || typeof node !== 'object') return
    if (Array.isArray(node)) return node.forEach((one) => walk(one, place))
    const { type, value, quasis, ...rest } = node as Node
    if (type === 'ImportDeclaration' || type?.startsWith('TS')) {
      if (type === 'TSAsExpression' || type === 'TSSatisfiesExpression')
        walk(rest['expression'], place)
      return
    }
    let inside = place
    if (type === 'JSXAttribute') inside = { attribute: nameOf(rest['name']) }
    else if (type === 'CallExpression') inside = { ...place, call: nameOf(rest['callee']) }
    if (type === 'JSXText') found.push({ words: String(value), kind: 'JSX' })
    else if (type === 'Literal' && typeof value === 'string')
      found.push({ words: value, kind: 'code', ...place })
    else if (type === 'TemplateLiteral') {
      const parts = (quasis as { value: { cooked: string } }[]).map((one) => one.value.cooked)
      found.push({ words: parts.join('{}'), kind: 'code', ...place })
    }
    walk(value, inside)
    for (const child of Object.values(rest)) walk(child, inside)
  }
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body, {})
  return found
}

const files = globSync('{web,shared}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.test\.|\.d\.ts$|^web\/(?:i18n\/messages|gallery)\//.test(file),
)
const texts = new Map(files.map((file) => [file, textsIn(file)]))

/** Words of the web that need no translation: names, keys, and what only programmers read. */
const untranslated = new Set([
  'Octavo',
  '© Octavo',
  '404 | Octavo',
  // The record service's own words, to be told from a screen's.
  "The requested resource wasn't found.",
  'The barcode scanner does not work.',
  // The official client's own words.
  "State parameters don't match.",
  'Missing or invalid provider "{}".',
])

const word = /\p{L}{2}/u
const sentence = /^[\p{Lu}“][^<>]*\p{L} \p{L}[^<>]*[.…?!]$/u

function isForReaders({ words, kind, attribute, call }: Text): boolean {
  const text = words.replaceAll('{}', ' ').trim()
  if (untranslated.has(words.trim()) || translating.test(call ?? '')) return false
  if (kind === 'JSX') return word.test(text)
  if (sentence.test(words.trim())) return true
  // One word alone may be a key, a value or a name of something.
  const isPhrase = /\p{L} \p{L}|^\p{Lu}\p{Ll}/u.test(text)
  return isPhrase && (attributes.test(attribute ?? '') || showing.test(call ?? ''))
}

test('sentences in code are found', () => {
  const code = `
    const Save = () => <p title="Save it">Save the book {t('save')} <b aria-label={\`Rated \${n}\`} /></p>
    toast.error('Not saved')
    const note = 'Nothing was saved.'
    const key = t('notSaved')`
  const found = textsOf(code, 'save.tsx').filter(isForReaders)
  expect(found.map(({ words }) => words.trim())).toEqual([
    'Save it',
    'Save the book',
    'Rated {}',
    'Not saved',
    'Nothing was saved.',
  ])
})

test('every sentence of the screens is a message', () => {
  const found = [...texts]
    .filter(([file]) => file.startsWith('web/'))
    .flatMap(([file, all]) =>
      all.filter(isForReaders).map(({ words }) => `${file}: ${words.trim()}`),
    )
  expect(found).toEqual([])
})

const messages = (area: string) =>
  JSON.parse(readFileSync(join(root, 'web/i18n/messages/en', area), 'utf8')) as Record<
    string,
    string
  >

/** @returns what a message with placeholders may look like when they are filled in */
function patternOf(message: string): RegExp {
  const literal = message.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll(/\{\w*\}/g, '.+?')}$`, 's')
}

const literals = [...new Set([...texts.values()].flat().map(({ words }) => words))]

describe('every message is used', () => {
  const exact = new Set(literals)
  const made = [...texts.values()]
    .flat()
    .filter(({ words, call }) => translating.test(call ?? '') && words.includes('{}'))
    .map(({ words }) => patternOf(words))
  const areas = readdirSync(join(root, 'web/i18n/messages/en'))
  const isUsed = (key: string) => exact.has(key) || made.some((pattern) => pattern.test(key))
  test.each(areas)('%s', (area) => {
    expect(Object.keys(messages(area)).filter((key) => !isUsed(key))).toEqual([])
  })
})

describe('the sentences that the server says too', () => {
  const shared = (file: string) =>
    JSON.parse(readFileSync(join(root, 'shared/sentences', file), 'utf8')) as Record<string, string>
  const inServer = globSync('{server,records}/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.|migrations/.test(file))
    .flatMap(textsIn)
    .map(({ words }) => words)
  const said = new Set([...inServer, ...literals])
  const source = globSync('{server,shared}/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('')

  test.each(['rules.json', 'import-reasons.json'])('each key of %s is used', (file) => {
    const unused = Object.keys(shared(file)).filter((key) => !key.startsWith('name.'))
    expect(unused.filter((key) => !said.has(key))).toEqual([])
  })

  // The record service, which knows no table, has its own from PocketBase.
  test('each answer is given', () => {
    const unused = Object.entries(shared('answers.json')).filter(
      ([key, answer]) => !source.includes(`answers.${key}`) && !said.has(answer),
    )
    expect(unused).toEqual([])
  })

  test('rules say none themselves', () => {
    const found = [...texts]
      .filter(([file]) => file.startsWith('shared/'))
      .flatMap(([, all]) => all.map(({ words }) => words.trim()))
    expect(found.filter((words) => sentence.test(words))).toEqual([])
  })
})
