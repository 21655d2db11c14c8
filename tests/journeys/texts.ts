import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { mostReadBooks } from '#catalogue/starter/most-read/books.ts'
import { starterBooks } from '#catalogue/starter/starter.ts'
import { stores } from '#catalogue/stores.ts'
import { languageName, languages, type Language } from '#shared/language.ts'
import { nothing, shownAuthors } from './screens.ts'

export const contact = 'help@octavo.example'

const names = `Octavo;Free Forever;Premium Scholar;Google;Goodreads;StoryGraph;LibraryThing;Chrome;
  Safari;Linux;Esc;Tab;Alt;alt+T;BookWyrm;Openreads;Google Books;Open Library;Project Gutenberg;
  US$;ISBN10;{isbn13};{isbn10};{title};{author};The Lighthouse Cookbook of Aunt Ottilie;
  Ottilie Brandhuber;SQLite;KB`.split(/;\s*/)

/** What is no message: books of the catalogue, names, addresses, and keys of the keyboard. */
const data = [
  ...starterBooks().flatMap(({ title, publisher, description, ...book }) => [
    title,
    publisher,
    description,
    ...book.authors,
    ...book.genres,
    ...(book.themes ?? []),
    ...(book.characters ?? []),
  ]),
  // Of the most read books, those that the screens show.
  ...mostReadBooks()
    .filter(({ authors }) => authors.some((name) => shownAuthors.includes(name)))
    .flatMap(({ title, authors, series }) => [
      title,
      ...authors,
      ...series.map(({ name }) => name),
    ]),
  ...(Object.keys(languages) as Language[]).map(languageName),
  ...stores.map(({ name }) => name),
  ...names,
  contact,
  'example.org',
  nothing,
]

/** So that no word is taken apart by one that it contains. */
const longestFirst = (texts: readonly string[]) => texts.toSorted((a, b) => b.length - a.length)

/** Runs in the page. @returns all that it says to whoever sees, hears or finds it */
function said(): string[] {
  const found = [document.title]
  const about = 'meta[name=description], meta[property="og:title"], meta[property="og:description"]'
  for (const meta of document.querySelectorAll(about))
    found.push(meta.getAttribute('content') ?? '')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode
    if (!parentElement?.closest('script, style, noscript')) found.push(nodeValue ?? '')
  }
  const spoken = ['label', 'description', 'valuetext', 'roledescription'].map(
    (one) => `aria-${one}`,
  )
  for (const element of document.querySelectorAll('body *'))
    for (const name of [...spoken, 'title', 'placeholder', 'alt'])
      found.push(element.getAttribute(name) ?? '')
  return [...new Set(found)].filter((text) => !/^https?:\/\/\S+$/.test(text))
}

/** Whether a text is English; what it says of most texts is asked for on many screens. */
export type Judge = (text: string) => boolean

/** @returns what a page says that is English by the judge, line by line */
export async function englishOf(page: Page, isEnglish: Judge): Promise<string> {
  const texts = new Set((await page.evaluate(said)).map((text) => text.replaceAll('\u00a0', ' ')))
  return [...texts].filter(isEnglish).join('\n')
}

const isLatin = (text: string) => /[A-Za-z]{2}/.test(text)

/** @returns the judge of a language without Latin letters, apart from data and these words */
export function latinJudge(words: readonly string[] = []): Judge {
  const left = longestFirst([...data, ...words])
  const judged = new Map<string, boolean>()
  return (text) => {
    const known = judged.get(text)
    if (known !== undefined) return known
    const found =
      isLatin(text) && isLatin(left.reduce((rest, one) => rest.replaceAll(one, ''), text))
    judged.set(text, found)
    return found
  }
}

const root = join(import.meta.dirname, '../..')

/** @returns all messages of the screens in a language, and their keys */
function messagesIn(language: string): { keys: string[]; messages: string[] } {
  const folders = [`web/i18n/messages/${language}`]
  if (language === 'en') folders.push('shared/sentences')
  const entries = folders
    .flatMap((folder) => globSync(`${folder}/*.json`, { cwd: root }))
    .flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, string>),
    )
  return { keys: entries.map(([key]) => key), messages: entries.map(([, message]) => message) }
}

/**
 * @returns the judge of the screens in a language: in Japanese and Arabic all that has Latin letters
 *   which its messages haven't, elsewhere an English message, or the key of one
 */
export function judgeOf(language: Language): Judge {
  const own = messagesIn(language).messages.join('\n')
  if (language === 'ja' || language === 'ar') {
    const words = new Set(own.match(/[A-Za-z][\w.+-]*/g))
    return latinJudge([...words])
  }
  const english = messagesIn('en')
  const ours = new Set(data)
  const isKey = (text: string) => /[a-z][A-Z.]/.test(text)
  const others = [...english.messages, ...english.keys.filter(isKey)]
  const left = new Set(
    others.filter((text) => isLatin(text) && !own.includes(text) && !ours.has(text)),
  )
  return (text) => left.has(text.trim())
}
