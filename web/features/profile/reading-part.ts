import { partialDateText } from '#shared/partial-date.ts'
import { lengths, unknownPart, type ReadingPart } from '#shared/statistics.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/statistics.ts'
import { ratingText, type RatingScale } from '#web/ui/rating-steps.ts'

/** Some of a reader's readings: those of a year, and of one bar of the statistics. */
export interface ReadingSelection {
  /** '' for all time. */
  year: string
  by?: ReadingPart | undefined
  key: string
}

/** @returns the address of the list of exactly these readings */
export function readingsPath(username: string, { year, by, key }: ReadingSelection): string {
  const query = new URLSearchParams({
    ...(year && { year }),
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
    case 'reread':
      return t('rereads')
    case 'dropped':
      return t('dropped')
    default:
      return key
  }
}

function lengthLabel(key: string): string {
  const at = lengths.findIndex((pages) => String(pages) === key)
  const [from, next] = [lengths[at] ?? 0, lengths[at + 1]]
  if (!next) return t('pagesFrom', { pages: from })
  return at === 0 ? t('pagesUnder', { pages: next }) : t('pagesBetween', { from, to: next - 1 })
}
