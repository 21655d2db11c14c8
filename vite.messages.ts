import {
  isLiteralElement,
  parse,
  TYPE,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'
import { languages, type Language } from './shared/language.ts'

const parser = '@formatjs/icu-messageformat-parser'
const folder = join(import.meta.dirname, 'web/i18n/messages')
/** English of the areas that the server says too. */
const shared = join(import.meta.dirname, 'shared/sentences')

/**
 * Provides the messages of an area as the module `messages/<area>`.
 *
 * A browser's build leaves the module out: each language's messages are a file of their own, and the
 * page's import map names those of its language. So a browser loads one language, together with the
 * scripts that need it. Everywhere else the module holds all languages.
 */
export function messages(): Plugin {
  return {
    name: 'octavo:messages',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source === 'messages:files' || source === 'messages:languages') return `\0${source}`
      // Messages come parsed.
      if (source === parser && importer?.includes('intl-messageformat'))
        return this.resolve(`${parser}/no-parser.js`, importer)
      if (!source.startsWith('messages/')) return null
      const isBrowserBuild =
        this.environment.name === 'client' && this.environment.config.command === 'build'
      return isBrowserBuild ? { id: source, external: true } : `\0${source}`
    },
    load(id) {
      if (id === '\0messages:files') return `export default ${JSON.stringify(filesByLanguage())}`
      if (id === '\0messages:languages') return `export default ${JSON.stringify(supported())}`
      if (!id.startsWith('\0messages/')) return null
      const area = id.slice('\0messages/'.length)
      const tags = supported()
      for (const language of tags) this.addWatchFile(fileOf(language, area))
      return `export default ${JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, compiled(tag, area)])))}`
    },
    generateBundle() {
      if (this.environment.name !== 'client') return
      for (const { fileName, source } of supported().flatMap(filesOf))
        this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

/** @returns the languages that readers can choose */
function supported(): Language[] {
  const tags = Object.keys(languages) as Language[]
  return tags.filter((tag) => languages[tag].isComplete)
}

/**
 * For what has no import map.
 *
 * @returns an area's messages as they are written, by language and key
 */
export function plainMessages(area: string): Record<string, Record<string, string>> {
  return Object.fromEntries(supported().map((tag) => [tag, written(tag, area)]))
}

/** @returns paths of the built catalogues, by language and area */
function filesByLanguage(): Record<string, Record<string, string>> {
  const of = (tag: Language) =>
    Object.fromEntries(filesOf(tag).map(({ area, fileName }) => [area, `/${fileName}`]))
  return Object.fromEntries(supported().map((tag) => [tag, of(tag)]))
}

function filesOf(language: Language) {
  return areas().map((area) => {
    const source = `export default ${JSON.stringify({ [language]: compiled(language, area) })}`
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
    return { area, source, fileName: `assets/locale-${area}-${language}-${hash}.js` }
  })
}

/** English has every area. */
const areas = () =>
  [join(folder, 'en'), shared]
    .flatMap((each) => globSync(join(each, '*.json')))
    .map((file) => basename(file, '.json'))
    .sort()

/**
 * @returns an area's messages, those with placeholders parsed; English ones where one is missing. A
 *   message that says its own key is left out.
 */
function compiled(language: Language, area: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(written(language, area))
      .filter(([key, message]) => key !== message)
      .map(([key, message]) => [key, parseMessage(message)]),
  )
}

/** @returns the text of a message without placeholders; of others what `web/i18n/area.ts` formats */
export function parseMessage(message: string): string | MessageFormatElement[] {
  const parsed = parse(message, { captureLocation: false })
  const [first, ...rest] = parsed
  if (first && rest.length === 0 && isLiteralElement(first)) return first.value
  return parsed.map(asText)
}

/**
 * Marks the placeholders that only print their value, `{pages}`: `web/i18n/area.ts` fills these in
 * with numbers written as the language does, while plurals count with the numbers themselves.
 */
function asText(element: MessageFormatElement): MessageFormatElement {
  switch (element.type) {
    case TYPE.argument:
      return { ...element, value: `${element.value}#` }
    case TYPE.tag:
      return { ...element, children: element.children.map(asText) }
    case TYPE.plural:
    case TYPE.select: {
      const arms = Object.entries(element.options)
      const options = arms.map(([arm, { value }]) => [arm, { value: value.map(asText) }])
      return { ...element, options: Object.fromEntries(options) }
    }
    default:
      return element
  }
}

const written = (language: Language, area: string) => ({
  ...catalogueOf('en', area),
  ...catalogueOf(language, area),
})

function catalogueOf(language: Language, area: string): Record<string, string> {
  const file = fileOf(language, area)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}

function fileOf(language: Language, area: string): string {
  const file = `${area}.json`
  const isShared = language === 'en' && existsSync(join(shared, file))
  return isShared ? join(shared, file) : join(folder, language, file)
}
