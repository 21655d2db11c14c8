import { useSyncExternalStore } from 'react'
import { formatAgo, formatDay } from '#web/i18n/format.ts'

const never = () => () => undefined

/** @returns a moment as the API writes it, "2026-01-31 12:00:00.000Z" */
export function readMoment(date: string): Date {
  return new Date(date.replace(' ', 'T'))
}

/**
 * The day of a moment in figures. The reader's zone is the browser's; the server says the day as it
 * is in Greenwich.
 */
export function useDay(moment: Date): string {
  return useSyncExternalStore(
    never,
    () => formatDay(moment),
    () => formatDay(moment, 'UTC'),
  )
}

/** @returns "3 hours ago"; to be shown with `suppressHydrationWarning`, as it changes by itself */
export const ago = (moment: Date): string => formatAgo(moment)
