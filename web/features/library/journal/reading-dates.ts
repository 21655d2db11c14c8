import { partialDateText } from '#shared/partial-date.ts'
import type { Reading } from '#shared/reading.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/readings.ts'

type Dates = Pick<Reading, 'started' | 'finished'> & { outcome: Reading['outcome'] | '' }

/** @returns "May 23, 2023 – Jun 7, 2023", "Finished in 2009", or that the dates are unknown */
export function readingDates({ started, finished, outcome }: Dates): string {
  const [from, to] = [
    partialDateText(started, currentLanguage()),
    partialDateText(finished, currentLanguage()),
  ]
  if (from && to) return from === to ? from : t('dateRange', { from, to })
  if (from) return t('since', { from })
  if (!to) return t('unknownDates')
  return t(finished.length > 7 ? 'finishedOn' : 'finishedIn', { to, outcome })
}
