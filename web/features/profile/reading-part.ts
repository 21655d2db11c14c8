import { languageName } from '#shared/book.ts'
import { partialDateText } from '#shared/partial-date.ts'
import { formats } from '#shared/reading.ts'
import {
  lengths,
  narrowings,
  unknownPart,
  type ReadingPart,
  type StatisticsForm,
} from '#shared/statistics.ts'
import { withoutZeros } from '#shared/text.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/statistics.ts'
import { ratingText, type RatingScale } from '#web/ui/rating-steps.ts'

/** Some of a reader's readings: those of a year, of some books, and of one bar of the statistics. */
export interface ReadingSelection extends StatisticsForm {
  by?: ReadingPart | undefined
  key: string
}

/** @returns the statistics that an address names; those of all books and of all time if none */
export function readStatisticsForm(search: URLSearchParams): StatisticsForm {
  const text = (name: string, most: number) =>
    withoutZeros(search.get(name) ?? '').slice(0, most) || undefined
  const year = text('year', 4)
  return {
    year: year && /^\d{4}$/.test(year) ? year : undefined,
    format: ([...formats, unknownPart] as const).find((one) => one === search.get('format')),
    genre: text('genre', 500),
    tag: text('tag', 500),
    shelf: text('shelf', 100),
  }
}

/** @returns the address of a reader's statistics */
export function statisticsPath(username: string, form: StatisticsForm): string {
  const query = new URLSearchParams(known(form)).toString()
  return `/u/${username}/stats${query && `?${query}`}`
}

/** @returns the values of a form that there are */
const known = (form: StatisticsForm): Record<string, string> =>
  Object.fromEntries(
    (['year', ...narrowings] as const).flatMap((name) => (form[name] ? [[name, form[name]]] : [])),
  )

/** @returns the address of the list of exactly these readings */
export function readingsPath(username: string, { by, key, ...form }: ReadingSelection): string {
  const query = new URLSearchParams({
    ...known(form),
    ...(by && { by }),
    ...(key && { key }),
  })
  return `/u/${username}/diary?${query.toString()}`
}

/** @returns what a bar is called, in the reader's language */
export function partLabel({ year, by, key }: ReadingSelection, scale: RatingScale): string {
  switch (by) {
    case 'period':
      if (key === unknownPart) return year ? t('monthUnknown') : t('yearUnknown')
      return partialDateText(key, currentLanguage())
    case 'rating':
      return key === unknownPart ? t('notRated') : ratingText(Number(key), scale)
    case 'length':
      return key === unknownPart ? t('lengthUnknown') : lengthLabel(key)
    case 'format':
      return key === unknownPart ? t('formatUnknown') : t(`format.${key as 'print'}`)
    case 'language':
      return key === unknownPart
        ? t('languageUnknown')
        : languageName(key, currentLanguage()) || key
    case 'published':
      return key === unknownPart ? t('publishedUnknown') : decadeLabel(key)
    case 'reread':
      return t('rereads')
    case 'dropped':
      return t('dropped')
    default:
      return key
  }
}

/** @returns "1990 to 1999" of `1990` */
const decadeLabel = (key: string) => t('decade', { from: key, to: `${key.slice(0, 3)}9` })

function lengthLabel(key: string): string {
  const at = lengths.findIndex((pages) => String(pages) === key)
  const [from, next] = [lengths[at] ?? 0, lengths[at + 1]]
  if (!next) return t('pagesFrom', { pages: from })
  return at === 0 ? t('pagesUnder', { pages: next }) : t('pagesBetween', { from, to: next - 1 })
}
