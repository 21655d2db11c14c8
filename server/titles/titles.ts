import { foldTitle } from '#catalogue/in-thread.ts'
import { foldText } from '#shared/text.ts'

/** A title in the parts that a comparison needs. */
export interface TitleParts {
  /** Without a subtitle, a series and the volume. */
  main: string
  /** With the subtitle. */
  whole: string
  /** The subtitle; '' for none, or one such as “A Novel” that says nothing. */
  subtitle: string
  /** The number of the volume; '' for none. */
  volume: string
  /** Whether it is the first of a series with its title, which others know without a number. */
  isFirst: boolean
  /** What makes it another book than the one with the same title, folded: `sparknotes guide`. */
  kind: string
  /** Whether brackets named a series. */
  hasSeries: boolean
}

const word =
  '(?:vol|vols|volume|book|bk|part|pt|no|nr|number|band|bd|teil|tome|tomo|livre|libro|livro|parte|volumen|issue|episode)'
const number = '(\\d{1,4}|[ivxl]{1,6}|one|two|three|four|five|six|seven|eight|nine|ten)'
/** Folded brackets with nothing but a volume: `vol 2`, `book two`, `2`, `part 1 of 3`. */
const onlyVolume = new RegExp(`^(?:the )?(?:${word} )?${number}(?: of \\d+)?$`)
/** The place of a book in a named series, folded: `the coast book 2`, `the coast 2`. */
const inSeries = new RegExp(`^(.+?)(?: ${word})? (\\d{1,4})$`)
/** A volume at the end of a title: “Death Note, Vol. 1”, “Death Note Vol 1”. */
const atEnd = new RegExp(
  `^(.*?\\S)(?:\\s*[,:]\\s*${word}|\\s+(?:vol|volume|band|tome|tomo))\\.?\\s*#?${number}$`,
  'i',
)
/** Words for another kind of book with the title of this one. */
const otherKind =
  /\b(?:guide|sparknotes|cliffsnotes|cliffs notes|york notes|summary|analysis|study|companion|workbook|abridged|graphic|manga|comics?|annotated|illustrated|adaptation|screenplay|script|coloring|boxe?d? ?set|collection|omnibus|bundle|editions?|ausgabe|edicion|edicao|complete|volumes|vols|books|parts|sampler|preview|excerpt)\b/
/** Those of them that say so in the name of a series with numbers, unlike “books” or “guide”. */
const otherForm = /\b(?:graphic|manga|comics?)\b/
/** Words in subtitles of books that are made from one with this title, or are about it. */
const aboutBook =
  /\b(?:criticism|contexts?|notes|making of|based on|movie|film|plays?|stage|versions?|retelling|pop up|stories|tales|books?)\b/
/** A place in a series that isn't one whole book: `#1-4`, `#5, Part 1`. */
const severalOrPart = /#\s*[\d.]+\s*(?:[-–&+]|,?\s*part\b)/i
/** Subtitles that any novel may have, folded. */
const anyNovel = /^(?:(?:a|an|the|ein|un|une|una) )?(?:novel|roman|novela|romanzo|romance|роман)$/
/** Words for a medium, which can't make it another book. */
const medium =
  /^(?:the )?(?:kindle|paperback|hardcover|hardback|e ?book|mass market(?: paperback)?|audio\w*(?: cd)?|unabridged|large print)(?: edition)?$/

/** Brackets at the end of a title that are looked at, and characters of it. */
const [bracketsAtMost, titleAtMost] = [3, 500]

/** Splits a title into its parts. What brackets say of a volume or another kind of book counts. */
export function titleParts(title: string): TitleParts {
  let rest = title.slice(0, titleAtMost)
  let [volume, kind, hasSeries, isFirst] = ['', '', false, false]
  for (let count = 0; count < bracketsAtMost; count++) {
    const found = /^(.*\S)\s*[([]([^()[\]]*)[)\]]\s*$/s.exec(rest)
    const [, before = '', inside = ''] = found ?? []
    if (!before) break
    rest = before
    const said = foldText(inside)
    const alone = onlyVolume.exec(said)?.[1]
    const [, series = '', place = ''] = inSeries.exec(said) ?? []
    if (alone) volume = toNumber(alone)
    else if (medium.test(said)) continue
    else if (isOtherKind(inside, said)) kind = `${said} ${kind}`.trim()
    else {
      hasSeries = true
      // A volume of a series that is named like it has no other title.
      if (place && isNamedLike(series, before)) {
        volume = toNumber(place)
        isFirst = volume === '1'
      }
    }
  }
  const [start = '', ...others] = rest.split(/:\s|\s[–—-]\s/)
  const [bareMain, ofMain] = withoutVolume(start.trim() || rest)
  const [bareSubtitle, ofSubtitle] = withoutVolume(start.trim() ? others.join(': ') : '')
  const [main, subtitle] = [foldTitle(bareMain), foldTitle(bareSubtitle)]
  const isNovel = anyNovel.test(subtitle)
  return {
    main,
    whole: isNovel || !subtitle ? main : `${main} ${subtitle}`,
    subtitle: isNovel ? '' : subtitle,
    volume: volume || ofMain || ofSubtitle,
    isFirst: isFirst && !ofMain && !ofSubtitle,
    kind,
    hasSeries,
  }
}

const isOtherKind = (inside: string, said: string) =>
  inside.includes('#') ? severalOrPart.test(inside) || otherForm.test(said) : otherKind.test(said)

/** Whether a subtitle can be another book's than the one that is known by its main title. */
export const namesOtherBook = (subtitle: string): boolean =>
  otherKind.test(subtitle) || aboutBook.test(subtitle)

/** @returns the forms of a title that a catalogue may have, the full one first */
export function titleForms(title: string): [full: string, bare: string, ...others: string[]] {
  const bare = title.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '').trim() || title
  const main = bare.split(/:\s|\s[–—-]\s/)[0]?.trim() || bare
  const { volume } = titleParts(title)
  return [title, bare, main, ...(volume && bare !== title ? [`${bare}, Vol. ${volume}`] : [])]
}

function withoutVolume(title: string): [title: string, volume: string] {
  const [, before = '', volume = ''] = atEnd.exec(title) ?? []
  return before ? [before, toNumber(volume)] : [title, '']
}

const isNamedLike = (series: string, title: string) => {
  const plain = (text: string) =>
    text.replace(/^(?:the|a|an) | (?:series|saga|trilogy|manga)$/g, '')
  return plain(series) === plain(foldText(title.split(/:\s/)[0] ?? ''))
}

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const roman: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 }

/** @returns digits for digits, a word or a Roman number */
function toNumber(text: string): string {
  const lower = text.toLowerCase()
  if (/^\d+$/.test(lower)) return String(Number(lower))
  const at = words.indexOf(lower)
  if (at >= 0) return String(at + 1)
  const values = [...lower].map((letter) => roman[letter] ?? 0)
  const sum = values.reduce((all, one, n) => all + (one < (values[n + 1] ?? 0) ? -one : one), 0)
  return String(sum)
}
