import catalogue from 'messages/rules'
import type { Language } from '#shared/language.ts'
import { area } from './area.ts'
import { formatNumber } from './format.ts'
import { currentLanguage } from './language.ts'
import type messages from './messages/en/rules.json'

type Sentence = keyof typeof messages

const { t } = area<Sentence>(catalogue)

const placeholder = /\{(\w+)\}/g

interface Pattern {
  key: Sentence
  /** What the sentence looks like when its placeholders are filled in. */
  pattern: RegExp
  names: string[]
}

/** A server speaks several languages. */
const patterns = new Map<Language, readonly Pattern[]>()

function patternsOf(language: Language, sentences: Iterable<string>): readonly Pattern[] {
  const known = patterns.get(language)
  if (known) return known
  const read = readPatterns(sentences)
  patterns.set(language, read)
  return read
}

function readPatterns(sentences: Iterable<string>): Pattern[] {
  return [...sentences]
    .filter((key) => key.includes('{'))
    .map((key) => {
      const literal = key.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      const pattern = new RegExp(`^${literal.replaceAll(placeholder, '(.+?)')}$`, 's')
      return {
        key: key as Sentence,
        pattern,
        names: [...key.matchAll(placeholder)].map(([, name]) => name!),
      }
    })
}

/**
 * Says a sentence of the rules that browser and server share, or of a server's answer, in the
 * language of the page. They come in English, whose words are the keys of this area's messages.
 *
 * @returns a sentence that the area doesn't have as it is
 */
export function translate(sentence: string): string {
  const language = currentLanguage()
  const known = catalogue[language]
  if (!known) return sentence
  if (Object.hasOwn(known, sentence)) return t(sentence as Sentence)
  for (const { key, pattern, names } of patternsOf(language, Object.keys(known))) {
    const found = pattern.exec(sentence)
    if (found)
      return t(
        key,
        Object.fromEntries(names.map((name, i) => [name, filling(name, found[i + 1]!)])),
      )
  }
  return sentence
}

/** @returns what a sentence of the page's language has for a placeholder of the English one */
function filling(name: string, text: string): string {
  // The name of a field and a sentence are messages too.
  if (name === 'name' || name === 'sentence') return translate(text)
  return /^\d{1,3}(,\d{3})+$/.test(text) ? formatNumber(Number(text.replaceAll(',', ''))) : text
}
