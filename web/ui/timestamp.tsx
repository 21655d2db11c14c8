import { useSyncExternalStore } from 'react'
import { formatAgo, formatDate, formatDay } from '#web/i18n/format.ts'
import { onServerAhead, serverAhead } from '#web/i18n/server-clock.ts'
import { useHydrated } from './hydrated.ts'

/** @param text as the API writes it, "2026-01-31 12:00:00.000Z" */
export function parseTimestamp(text: string): Date {
  return new Date(text.replace(' ', 'T'))
}

/** @returns the browser's time zone; until the page is live, UTC, as the server has it */
const useZone = () => (useHydrated() ? undefined : 'UTC')

/** @returns the day, "Jan 31, 2026" */
export function useLocalDate(date: Date): string {
  const timeZone = useZone()
  return formatDate(date, { dateStyle: 'medium', ...(timeZone && { timeZone }) })
}

/** @returns the day as the timeline has it, in figures: "31-01-2026" */
export function useLocalDay(date: Date): string {
  return formatDay(date, useZone())
}

/** The day of a timestamp. */
export function Day({ timestamp }: { timestamp: string }) {
  const date = parseTimestamp(timestamp)
  return (
    <time dateTime={date.toISOString()} className="whitespace-nowrap">
      {useLocalDate(date)}
    </time>
  )
}

/** Draws a component that says how long ago something was again when the server's clock is known. */
export function useServerClock(): void {
  useSyncExternalStore(onServerAhead, serverAhead, () => 0)
}

/** How long ago a timestamp is, by the server's clock; the server and the browser may say it differently. */
export function Ago({ timestamp }: { timestamp: string }) {
  const moment = parseTimestamp(timestamp)
  useServerClock()
  return (
    <time dateTime={moment.toISOString()} suppressHydrationWarning>
      {formatAgo(moment)}
    </time>
  )
}
