import { partialDateText } from '#shared/partial-date.ts'
import type { Reading } from '#shared/reading.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/readings.ts'

/** @returns "May 23, 2023 – Jun 7, 2023", "until 2009", or that the dates are unknown */
export function readingDates({ started, finished }: Pick<Reading, 'started' | 'finished'>): string {
  const [from, to] = [
    partialDateText(started, currentLanguage()),
    partialDateText(finished, currentLanguage()),
  ]
  if (from && to) return from === to ? from : t('dateRange', { from, to })
  if (from) return t('since', { from })
  return to ? t('until', { to }) : t('unknownDates')
}
