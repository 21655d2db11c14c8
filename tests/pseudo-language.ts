import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import { cpSync, globSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'

const root = dirname(import.meta.dirname)

/** The language whose messages are replaced. What `Intl` says in it has no Latin letters. */
export const pseudoLanguage = 'ja'

/** What a program is made of, apart from its packages. */
const parts = `catalogue public records server shared web package.json react-router.config.ts
  tsconfig.json vite.config.ts vite.messages.ts`.split(/\s+/)

/**
 * Copies the program into a temporary folder and puts English in full-width letters in the place of
 * one language's messages, so that a screen in that language shows no plain Latin letter but those of
 * data and of sentences that aren't messages.
 *
 * @returns the folder; what is started there builds its own screens
 */
export function pseudoProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pseudo-'))
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const files = globSync(['web/i18n/messages/en/*.json', 'server/mail/messages/en.json'], {
    cwd: root,
  })
  for (const file of files) {
    const messages = Object.entries(readMessages(file)).map(([key, message]) => [
      key,
      pseudo(message),
    ])
    const place = file.replace(/\ben(?=[/.])/, pseudoLanguage)
    writeFileSync(join(folder, place), JSON.stringify(Object.fromEntries(messages)))
  }
  return folder
}

/** @returns the messages of an area as {@link pseudoProgram} shows them */
export function pseudoOf(area: string) {
  const messages = readMessages(`web/i18n/messages/en/${area}.json`)
  return (key: string, values: Record<string, string | number> = {}): string =>
    String(new IntlMessageFormat(pseudo(messages[key] ?? key), pseudoLanguage).format(values))
}

const readMessages = (file: string) =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, string>

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
