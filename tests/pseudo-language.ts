import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import { cpSync, globSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { parseSync, Visitor, type ESTree } from 'vite'
import { ensureWebBuild } from '#server/pages/web-build.ts'
import { parseMessage } from '../vite.messages.ts'

const root = dirname(import.meta.dirname)

/** The language whose messages are replaced. What `Intl` says in it has no Latin letters. */
export const pseudoLanguage = 'ja'

/** What a program is made of, apart from its packages. */
const parts =
  `build catalogue public records server shared threads web package.json react-router.config.ts
  tsconfig.json vite.config.ts vite.messages.ts`.split(/\s+/)

/**
 * Copies the program into a temporary folder and puts English in full-width letters in the place of
 * one language's messages, so that a screen in that language shows no plain Latin letter but those of
 * data and of sentences that aren't messages. The screens aren't built again, which takes longer than
 * all else that a test of them does before its first page: the messages are replaced in what is built.
 *
 * @returns the folder
 */
export async function pseudoProgram(): Promise<string> {
  await ensureWebBuild()
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pseudo-'))
  // Sources that are no older than what was built from them would have it built again.
  for (const part of parts)
    cpSync(join(root, part), join(folder, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const mails = mapValues(readMessages('server/mail/messages/en.json'), pseudo)
  const ownMails = join(folder, `server/mail/messages/${pseudoLanguage}.json`)
  writeFileSync(ownMails, JSON.stringify(mails))
  const files = globSync(['web/i18n/messages/en/*.json', 'shared/sentences/*.json'], { cwd: root })
  const areas = new Map(files.map((file) => [basename(file, '.json'), readMessages(file)]))
  replaceInBrowser(join(folder, 'build/client'), areas)
  replaceInServer(join(folder, 'build/server'), areas)
  return folder
}

type Messages = Record<string, string>

const mapValues = <T>(messages: Messages, map: (message: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, map(message)]))

/** @returns the messages in full-width letters, as JSON of what vite.messages.ts makes of them */
const compile = (messages: Messages): string =>
  JSON.stringify(mapValues(messages, (message) => parseMessage(pseudo(message))))

/** A browser's build has a file for each area. */
function replaceInBrowser(build: string, areas: ReadonlyMap<string, Messages>): void {
  for (const [area, messages] of areas) {
    const pattern = `assets/locale-${area}-${pseudoLanguage}-*.js`
    const [file, ...others] = globSync(pattern, { cwd: build })
    if (!file || others.length > 0) throw new Error(`not one file is ${pattern}`)
    writeFileSync(
      join(build, file),
      `export default {${JSON.stringify(pseudoLanguage)}:${compile(messages)}}`,
    )
  }
}

/** The server's scripts have the messages of all languages, each area's in one object. */
function replaceInServer(build: string, areas: ReadonlyMap<string, Messages>): void {
  // What says its own key is left out of English.
  const keysOf = (messages: Messages) =>
    Object.keys(messages).filter((key) => messages[key] !== key)
  const left = new Map(
    [...areas].map(([area, messages]) => [keysOf(messages).toSorted().join(), area]),
  )
  for (const file of globSync('**/*.js', { cwd: build })) {
    const path = join(build, file)
    const code = readFileSync(path, 'utf8')
    if (!code.includes(`${pseudoLanguage}:{`)) continue
    const found: { start: number; end: number; messages: Messages }[] = []
    new Visitor({
      ObjectExpression(node) {
        const english = valueOf(node, 'en')
        const { start, end } = valueOf(node, pseudoLanguage) ?? node
        if (english?.type !== 'ObjectExpression') return
        const keys = english.properties.map(nameOf).toSorted().join()
        const messages = areas.get(left.get(keys) ?? '')
        if (!messages) return
        left.delete(keys)
        found.push({ start, end, messages })
      },
    }).visit(parseSync(file, code).program)
    if (found.length === 0) continue
    const changed = found
      .toSorted((a, b) => b.start - a.start)
      .reduce(
        (text, { start, end, messages }) =>
          text.slice(0, start) + compile(messages) + text.slice(end),
        code,
      )
    writeFileSync(path, changed)
  }
  if (left.size > 0) throw new Error(`no script has the messages of ${[...left.values()].join()}`)
}

function nameOf(property: ESTree.ObjectPropertyKind): string {
  if (property.type !== 'Property') return ''
  const { key } = property
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
}

function valueOf(node: ESTree.ObjectExpression, name: string): ESTree.Expression | undefined {
  const found = node.properties.find((property) => nameOf(property) === name)
  return found?.type === 'Property' ? found.value : undefined
}

/** @returns the messages of an area as {@link pseudoProgram} shows them */
export function pseudoOf(area: string) {
  const messages = readMessages(`web/i18n/messages/en/${area}.json`)
  return (key: string, values: Record<string, string | number> = {}): string =>
    String(new IntlMessageFormat(pseudo(messages[key] ?? key), pseudoLanguage).format(values))
}

const readMessages = (file: string) =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Messages

/** @returns the message with its letters replaced, its placeholders, tags and arms kept */
export function pseudo(message: string): string {
  return printAST(parse(message).map(widened))
}

function widened(element: MessageFormatElement): MessageFormatElement {
  switch (element.type) {
    case TYPE.literal:
      return { ...element, value: wide(element.value) }
    case TYPE.tag:
      return { ...element, children: element.children.map(widened) }
    case TYPE.plural:
    case TYPE.select:
      return {
        ...element,
        options: Object.fromEntries(
          Object.entries(element.options).map(([arm, { value }]) => [
            arm,
            { value: value.map(widened) },
          ]),
        ),
      }
    default:
      return element
  }
}

const toFullWidth = 0xff21 - 'A'.charCodeAt(0)

const wide = (text: string) =>
  text.replace(/[A-Za-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + toFullWidth))
