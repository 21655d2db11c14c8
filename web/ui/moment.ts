import { format, formatDistanceToNowStrict } from 'date-fns'
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** @returns a moment as the API writes it, "2026-01-31 12:00:00.000Z" */
export function readMoment(date: string): Date {
  return new Date(date.replace(' ', 'T'))
}

/**
 * The day of a moment, 31-01-2026. The reader's zone is the browser's; the server says the day as
 * it is in Greenwich.
 */
export function useDay(moment: Date): string {
  return useSyncExternalStore(
    never,
    () => format(moment, 'dd-MM-yyyy'),
    () => moment.toISOString().slice(0, 10).split('-').toReversed().join('-'),
  )
}

/** @returns "3 hours ago"; to be shown with `suppressHydrationWarning`, as it changes by itself */
export function ago(moment: Date): string {
  return formatDistanceToNowStrict(moment, { addSuffix: true })
}
