import { formatDay } from '#web/i18n/format.ts'
import { useHydrated } from './hydrated.ts'

/** @param text as the API writes it, "2026-01-31 12:00:00.000Z" */
export function parseTimestamp(text: string): Date {
  return new Date(text.replace(' ', 'T'))
}

/** @returns the day in figures, in the browser's time zone; until the page is live, in UTC */
export function useLocalDay(date: Date): string {
  return formatDay(date, useHydrated() ? undefined : 'UTC')
}

/** The day of a timestamp in figures. */
export function Day({ timestamp }: { timestamp: string }) {
  const date = parseTimestamp(timestamp)
  return (
    <time dateTime={date.toISOString()} className="whitespace-nowrap">
      {useLocalDay(date)}
    </time>
  )
}
