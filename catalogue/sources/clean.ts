import { decodeHTMLStrict } from 'entities'
import { cutText, streamSafe } from '#shared/text.ts'

/** Longer descriptions are usually whole chapters. */
const longestDescription = 8000
const longestName = 500

/**
 * Removes control characters, lone surrogates, and direction marks that would affect the rest of
 * the page. Joiners stay, as Persian needs them.
 */
function printable(text: string): string {
  return streamSafe(text.toWellFormed())
    .replace(/[\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD\uE000-\uF8FF]/g, '')
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, ' ')
    .normalize('NFC')
}

const withoutTags = (text: string) => text.replace(/<\/?[a-z!][^<>]{0,500}>/gi, '')

/**
 * Cleans a title, name or subject from another catalogue.
 *
 * @returns one line of plain text, at most 500 characters, possibly empty
 */
export function cleanName(text: string): string {
  const plain = decodeHTMLStrict(withoutTags(decodeHTMLStrict(text.slice(0, 4 * longestName))))
  return cutText(printable(plain).replace(/\s+/g, ' ').trim(), longestName)
}

/**
 * Cleans a description from another catalogue: HTML and Markdown become plain text with paragraphs,
 * and Open Library's appendices (source, other editions) are cut off.
 *
 * @returns plain text, possibly empty
 */
export function cleanDescription(text: string): string {
  const lines = text
    .slice(0, 4 * longestDescription)
    .replace(/\r\n?/g, '\n')
    .replace(/\n[^\S\n]*-{4,}[\s\S]*$/, '')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replace(/^[^\S\n]*\[[^\]\n]{1,40}\]:\s*\S+.*$/gm, '')
    .replace(/\(?\[source\](?:\[[^\]\n]*\]|\([^)\n]*\))?\)?/gi, '')
    .replace(/\[([^\]\n]{1,200})\]\(https?:[^)\s]{0,2000}\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.{1,2000}?)\1/g, '$2')
  // Twice, as escaped text may be markup itself.
  const plain = withoutTags(decodeHTMLStrict(withoutTags(lines)))
  const paragraphs = printable(plain)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return cutText(paragraphs, longestDescription)
}

const toMarc: Record<string, string> = {
  en: 'eng',
  ja: 'jpn',
  fa: 'per',
  fas: 'per',
  fr: 'fre',
  fra: 'fre',
  de: 'ger',
  deu: 'ger',
  es: 'spa',
  it: 'ita',
  zh: 'chi',
  zho: 'chi',
  ru: 'rus',
  ar: 'ara',
  hi: 'hin',
  pt: 'por',
  ko: 'kor',
  tr: 'tur',
  nl: 'dut',
  nld: 'dut',
  pl: 'pol',
  sv: 'swe',
  da: 'dan',
  nb: 'nor',
  nn: 'nor',
  no: 'nor',
  fi: 'fin',
  cs: 'cze',
  ces: 'cze',
  el: 'gre',
  ell: 'gre',
  he: 'heb',
  uk: 'ukr',
  ro: 'rum',
  ron: 'rum',
  hu: 'hun',
  vi: 'vie',
  th: 'tha',
  id: 'ind',
  ca: 'cat',
  la: 'lat',
  ur: 'urd',
  bn: 'ben',
}

/**
 * @param code "en", "en-US", "/languages/eng", "zho"
 * @returns the MARC code if known, otherwise the code as given; empty for none
 */
export function cleanLanguage(code: string): string {
  const base = code.replace('/languages/', '').toLowerCase().split(/[-_]/)[0] ?? ''
  if (!/^[a-z]{2,3}$/.test(base) || ['und', 'mul', 'zxx', 'mis'].includes(base)) return ''
  return toMarc[base] ?? base
}

const noSubject =
  /[:=]|^in library$|protected daisy|accessible book|large type|overdrive|reading level|internet archive|^open_?library|lending library|long now|^nyt/i

/**
 * Selects subjects to show as genres: those about a book's content, not its place in a library.
 *
 * @param subjects from the catalogues; "Fiction / Literary" counts as two
 * @returns without duplicates
 */
export function cleanGenres(subjects: readonly string[], max = 6): string[] {
  const kept = new Map<string, string>()
  for (const subject of subjects.slice(0, 200))
    for (const part of subject.split(/ \/ | -- /)) {
      const genre = cleanName(part).replace(/[.,;]+$/, '')
      const isShown = genre.length >= 2 && genre.length <= 30 && !noSubject.test(genre)
      if (isShown && !kept.has(genre.toLowerCase())) kept.set(genre.toLowerCase(), genre)
    }
  return [...kept.values()].slice(0, max).map((genre) => genre[0]?.toUpperCase() + genre.slice(1))
}
