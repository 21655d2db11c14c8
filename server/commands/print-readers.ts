import type { Plan } from '#shared/plan.ts'
import { formatBytes } from '#server/runtime/format-bytes.ts'
import type { Column } from './listing.ts'
import type { Reader } from '#server/readers/find.ts'

/** The columns of a list of readers; those that the table leaves out are for programs. */
export const readerColumns: readonly Column<Reader>[] = [
  {
    name: 'username',
    value: ({ username }) => username,
    text: ({ username, isHidden, isAdmin }) =>
      `${username}${isAdmin ? ' (admin)' : ''}${isHidden ? ' (hidden)' : ''}`,
  },
  { name: 'email', value: ({ email }) => email },
  { name: 'since', value: ({ since }) => since },
  { name: 'last_seen', value: ({ seen }) => seen },
  { name: 'books', value: ({ books }) => books },
  // In bytes.
  { name: 'pictures', value: ({ space }) => space, text: ({ space }) => formatBytes(space) },
  { name: 'verified', value: ({ isVerified }) => isVerified, text: null },
  { name: 'private', value: ({ isPrivate }) => isPrivate, text: null },
  { name: 'hidden', value: ({ isHidden }) => isHidden, text: null },
  { name: 'admin', value: ({ isAdmin }) => isAdmin, text: null },
  { name: 'id', value: ({ id }) => id, text: null },
]

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
    ...(reader.isAdmin ? ['Admin:      yes'] : []),
    `Plan:       ${reader.isPremium ? 'premium, subscribed' : planDefault}`,
    `Library:    ${formatCount(books, 'book')} on ${formatCount(shelves, 'shelf', 'shelves')}`,
    `Pictures:   ${formatCount(reader.pictures, 'file')}, ${formatBytes(reader.space)}`,
    `Id:         ${reader.id}`,
  ].join('\n')
}

/** @returns such as "1 book" or "3 books" */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? '-'
