import type { Plan } from '#shared/plan.ts'
import type { Reader } from './find.ts'

/** @returns readers as a table for a terminal */
export function readersTable(readers: readonly Reader[]): string {
  const head = ['USERNAME', 'EMAIL', 'SINCE', 'LAST SEEN', 'BOOKS', 'PICTURES']
  const rows = readers.map(({ username, email, since, seen, books, space, isHidden }) => [
    isHidden ? `${username} (hidden)` : username,
    email,
    day(since),
    day(seen),
    String(books),
    size(space),
  ])
  const all = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]!.length)))
  // Numbers are right-aligned.
  const cell = (text: string, at: number) =>
    at < 4 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!)
  return all.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}

/** @returns everything about one reader, a line each */
export function readerDetails(reader: Reader, planDefault: Plan): string {
  const { username, email, name, since, seen, sessions, shelves, books } = reader
  const profile = reader.isHidden ? 'hidden' : reader.isPrivate ? 'private' : 'public'
  return [
    `Username:   ${username}`,
    `Name:       ${name || '-'}`,
    `Email:      ${email}${reader.isVerified ? '' : ' (not confirmed)'}`,
    `Since:      ${day(since)}`,
    `Last seen:  ${day(seen)}`,
    `Signed in:  ${formatCount(sessions, 'session')}${reader.isLinked ? ', also through Google' : ''}`,
    `Profile:    ${profile}`,
    `Plan:       ${reader.isPremium ? 'premium, subscribed' : planDefault}`,
    `Library:    ${formatCount(books, 'book')} on ${formatCount(shelves, 'shelf', 'shelves')}`,
    `Pictures:   ${formatCount(reader.pictures, 'file')}, ${size(reader.space)}`,
    `Id:         ${reader.id}`,
  ].join('\n')
}

/** @returns such as "1 book" or "3 books" */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? '-'

function size(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
