/** Macros for moments in UTC and their parts, as in PocketBase. */
export const macros: ReadonlyMap<string, (now: Date) => string | number> = new Map<
  string,
  (now: Date) => string | number
>([
  ['@now', stamp],
  ['@yesterday', (now) => stamp(shifted(now, -1))],
  ['@tomorrow', (now) => stamp(shifted(now, 1))],
  ['@todayStart', (now) => stamp(start(now, now.getUTCMonth(), now.getUTCDate()))],
  ['@todayEnd', (now) => stamp(end(now, now.getUTCMonth(), now.getUTCDate() + 1))],
  ['@monthStart', (now) => stamp(start(now, now.getUTCMonth(), 1))],
  ['@monthEnd', (now) => stamp(end(now, now.getUTCMonth() + 1, 1))],
  ['@yearStart', (now) => stamp(start(now, 0, 1))],
  ['@yearEnd', (now) => stamp(end(now, 12, 1))],
  ['@second', (now) => now.getUTCSeconds()],
  ['@minute', (now) => now.getUTCMinutes()],
  ['@hour', (now) => now.getUTCHours()],
  ['@day', (now) => now.getUTCDate()],
  ['@weekday', (now) => now.getUTCDay()],
  ['@month', (now) => now.getUTCMonth() + 1],
  ['@year', (now) => now.getUTCFullYear()],
])

/** Whether the macro is a number rather than a moment. */
export function isNumberMacro(name: string): boolean {
  return typeof macros.get(name)?.(new Date(0)) === 'number'
}

function stamp(date: Date): string {
  return date.toISOString().replace('T', ' ')
}

function shifted(now: Date, days: number): Date {
  return new Date(now.getTime() + days * 86_400_000)
}

function start(now: Date, month: number, day: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), month, day))
}

/** The last millisecond before the given day. */
function end(now: Date, month: number, day: number): Date {
  return new Date(start(now, month, day).getTime() - 1)
}
