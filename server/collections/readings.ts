import { asWritten, collection, type Field } from '#records/index.ts'
import { daysOfYear, maxGoalFilter } from '#shared/goal.ts'
import { cutText } from '#shared/text.ts'
import { formats, goalKinds, outcomes, progressUnits, readingSources } from '#shared/reading.ts'
import {
  goalForm,
  progressLogForm,
  quoteForm,
  readingFactsForm,
  readingForm,
} from '#shared/reading-form.ts'
import { nameKeysOf, wholeName } from './derived-fields.ts'
import { textIn, titleInKey, withLife, type Values } from './life.ts'
import { created, own, owner, ownerIsPublic, ownersWrite, trashLife, updated } from './rules.ts'

/** Whether others can see the book on any of its reader's shelves; see library/visible-entries.ts. */
const visible = {
  name: 'visible',
  type: 'bool',
  readable: 'nobody',
  writable: 'never',
} as const satisfies Field
const isVisible = `visible = true && ${ownerIsPublic}`

/** The key that links a record to a reader's book; see `bookKey`. */
const bookKeyField = {
  name: 'book_key',
  type: 'text',
  max: 600,
  writable: 'create',
} as const satisfies Field
/** A list of names that a reading takes from its book. */
function bookNames<Name extends string>(name: Name) {
  return {
    name,
    type: 'json',
    maxSize: 16_384,
    holds: asWritten<string[]>,
    writable: 'create',
    folded: wholeName(`${name}_keys`),
  } as const satisfies Field
}

const withBook = `${own} || (${isVisible})`

export const readings = withLife(
  collection({
    name: 'readings',
    trashLife,
    fields: [
      owner,
      bookKeyField,
      { name: 'started', type: 'text', max: 10 },
      { name: 'finished', type: 'text', max: 10 },
      { name: 'outcome', type: 'select', values: outcomes },
      { name: 'format', type: 'select', values: formats },
      { name: 'pages', type: 'number' },
      { name: 'minutes', type: 'number' },
      { name: 'rating', type: 'number' },
      { name: 'source', type: 'select', values: readingSources },
      created,
      updated,
      visible,
      // Taken from the book, and kept when it is removed; see library/reading-facts.ts.
      { name: 'title', type: 'text', writable: 'create' },
      bookNames('authors'),
      bookNames('genres'),
      // Whether an earlier reading finished the book, too.
      { name: 'is_reread', type: 'bool', writable: 'never' },
      // Whether its reader leaves it out of the statistics.
      { name: 'uncounted', type: 'bool' },
      nameKeysOf('authors'),
      nameKeysOf('genres'),
      { name: 'language', type: 'text', max: 10, writable: 'create' },
      { name: 'published', type: 'text', max: 10, writable: 'create' },
      { name: 'series', type: 'text', max: 500, writable: 'create' },
    ],
    rules: { list: withBook, view: withBook, ...ownersWrite },
  }),
  {
    forms: [readingForm, readingFactsForm],
    cleared: true,
    bookKeys: ['book_key'],
    imported: {
      title: (values) => {
        const days = [textIn(values, 'started'), textIn(values, 'finished')].filter(Boolean)
        const title = textIn(values, 'title') || titleInKey(values)
        return [title, days.join(' – ')].filter(Boolean).join(', ')
      },
      identity: ['book_key', 'started', 'finished', 'outcome'],
    },
  },
)

/** Private to the reader: it would reveal entries that are hidden from the timeline. */
export const progressLog = withLife(
  collection({
    name: 'progress_log',
    fields: [
      owner,
      bookKeyField,
      { name: 'reading', type: 'relation', collection: 'readings' },
      { name: 'day', type: 'text', max: 10 },
      { name: 'at', type: 'date', past: true },
      { name: 'unit', type: 'select', values: progressUnits },
      { name: 'from', type: 'number' },
      { name: 'to', type: 'number' },
      { name: 'minutes', type: 'number' },
      { name: 'source', type: 'select', values: readingSources },
      // Minutes by the hour of the day, as far as a device knows.
      { name: 'hours', type: 'json', writable: 'never', holds: asWritten<number[] | null> },
    ],
    rules: { list: own, view: own, ...ownersWrite },
  }),
  {
    forms: [progressLogForm],
    cleared: true,
    bookKeys: ['book_key'],
    imported: {
      title: (values) => `${titleInKey(values)}, ${textIn(values, 'day')}`,
      identity: ['book_key', 'day', 'unit', 'from', 'to'],
    },
  },
)

const quoteVisible = `${own} || (isPrivate = false && ${isVisible})`
export const quotes = withLife(
  collection({
    name: 'quotes',
    trashLife,
    fields: [
      owner,
      bookKeyField,
      { name: 'text', type: 'text' },
      { name: 'note', type: 'text' },
      { name: 'page', type: 'number' },
      { name: 'percent', type: 'number' },
      { name: 'isPrivate', type: 'bool', strict: true },
      created,
      updated,
      visible,
    ],
    rules: { list: quoteVisible, view: quoteVisible, ...ownersWrite },
  }),
  {
    forms: [quoteForm],
    cleared: true,
    bookKeys: ['book_key'],
    imported: {
      title: (values) => cutText(textIn(values, 'text'), 200),
      identity: ['book_key', 'text', 'page', 'percent'],
    },
  },
)

/** @returns the first and the last day; an older export only says the year */
function goalDays(values: Values<'year' | 'from' | 'to'>): [from: string, to: string] {
  const [from, to] = [textIn(values, 'from'), textIn(values, 'to')]
  return from || to ? [from, to] : daysOfYear(Number(values.year))
}

const goalVisible = `${own} || (isPrivate = false && ${ownerIsPublic})`
export const goals = withLife(
  collection({
    name: 'goals',
    fields: [
      owner,
      // The year of a goal that is for one from its first to its last day; otherwise 0.
      { name: 'year', type: 'number' },
      { name: 'kind', type: 'select', values: goalKinds, required: true },
      { name: 'target', type: 'number' },
      { name: 'isPrivate', type: 'bool', strict: true },
      created,
      updated,
      { name: 'from', type: 'text', max: 10 },
      { name: 'to', type: 'text', max: 10 },
      // Which readings count, in the filter language; all of them if it is empty.
      { name: 'filter', type: 'text', max: maxGoalFilter },
    ],
    rules: { list: goalVisible, view: goalVisible, ...ownersWrite },
  }),
  {
    forms: [goalForm],
    imported: {
      title: (values) =>
        `${goalDays(values).join(' – ')}: ${textIn(values, 'target')} ${textIn(values, 'kind')}`,
      identity: (values) => [...goalDays(values), textIn(values, 'kind'), textIn(values, 'filter')],
    },
  },
)
