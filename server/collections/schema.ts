import { apiTokens, asWritten, collection, Schema } from '#records/index.ts'
import { accents } from '#shared/accent.ts'
import { sentTokenForm } from '#shared/api-token-form.ts'
import { tokenDays, tokenPrefix } from '#shared/api-token.ts'
import { otp, secondStepLife, trust } from '#shared/account.ts'
import { activityEvents, type Activity } from '#shared/activity.ts'
import { positionAtMost } from '#shared/book-order.ts'
import { shelfForm, shelfKinds, visibilities, type Bookshelf } from '#shared/bookshelf.ts'
import { languages } from '#shared/language.ts'
import type { OwnStore } from '#shared/offer.ts'
import { dayEnds } from '#shared/partial-date.ts'
import { plans, type Plan } from '#shared/plan.ts'
import { ratingScales } from '#shared/rating.ts'
import { factsForm, personalForm } from '#shared/reading-form.ts'
import { formats } from '#shared/reading.ts'
import { streakDaysOff } from '#shared/streak.ts'
import { userBookForm } from '#shared/user-book-form.ts'
import { statuses, type Completed, type FormerEdition } from '#shared/user-book.ts'
import {
  connections,
  deviceBooks,
  deviceFiles,
  deviceQuotes,
  listeningSessions,
  readingTimes,
} from './connections.ts'
import { importRows, importsCollection } from './imports.ts'
import { bookKeyOf } from './book-key.ts'
import { textIn, withLife } from './life.ts'
import { privateFeeds } from './private-feeds.ts'
import { profileRows } from './profile-rows.ts'
import { goals, progressLog, quotes, readings } from './readings.ts'
import { webhookDeliveries, webhooks } from './webhooks.ts'
import { foldedAs, nameKeysOf, sortKeyOf, wholeName, wordsOf } from './derived-fields.ts'
import {
  created,
  isPublic,
  own,
  owner,
  ownerIsPublic,
  ownersWrite,
  trashLife,
  updated,
} from './rules.ts'

const day = 24 * 60 * 60

/** Never true, but unlike a null rule it answers as if the record didn't exist. */
const never = '1 = 2'

const selfOrPublic = (settings: string) => `id = @request.auth.id || (${isPublic(settings)})`

const images = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml']

const users = collection({
  id: '_pb_users_auth_',
  name: 'users',
  type: 'auth',
  fields: [
    { name: 'username', type: 'text', max: 30, sortedBy: 'username_key' },
    { name: 'name', type: 'text', max: 100, sortedBy: 'name_key' },
    { name: 'avatar', type: 'file', mimeTypes: images, thumbs: ['100x50f', '100x100', '256x256'] },
    { ...created, readable: 'nobody' },
    { ...updated, readable: 'nobody' },
    // Set by the operator's command; only the account itself sees it.
    { name: 'isAdmin', type: 'bool', readable: 'self', writable: 'never' },
    sortKeyOf('username'),
    sortKeyOf('name'),
  ],
  unique: [['username']],
  rules: {
    list: selfOrPublic('settings_via_user.'),
    view: selfOrPublic('settings_via_user.'),
    create: '@request.auth.id = ""',
    update: 'id = @request.auth.id',
    delete: 'id = @request.auth.id',
  },
  auth: {
    tokenLife: 14 * day,
    sessionIdle: 14 * day,
    sessionLife: 30 * day,
    otp,
    mfa: { life: secondStepLife },
    trust: { life: trust.days * day },
  },
})

const tokens = withLife(apiTokens('users', { prefix: tokenPrefix, life: tokenDays * day }), {
  forms: [sentTokenForm],
  cleared: true,
  exported: false,
})

function withoutCodes(accounts: typeof users): typeof users {
  const { auth } = accounts
  return {
    ...accounts,
    ...(auth && { auth: { ...auth, otp: { ...otp, life: 0 }, mfa: { life: 0 } } }),
  }
}

function withoutPasswords(accounts: typeof users): typeof users {
  const { auth, ...others } = withoutCodes(accounts)
  return { ...others, ...(auth && { auth: { ...auth, passwords: false } }) }
}

const profile = collection({
  name: 'profile',
  type: 'view',
  fields: [
    { name: 'username', type: 'text', sortedBy: 'username_key' },
    { name: 'name', type: 'text', sortedBy: 'name_key' },
    { name: 'avatar', type: 'file', origin: { collection: 'users', by: 'id' } },
    { name: 'background', type: 'file', origin: { collection: 'settings', by: 'user' } },
    { name: 'isPrivate', type: 'bool' },
    { name: 'isHidden', type: 'bool', readable: 'nobody' },
    { name: 'average_rating', type: 'number' },
    { name: 'books_count', type: 'number' },
    { name: 'books_read', type: 'number' },
    { name: 'shelves_count', type: 'number' },
    { name: 'pages_read', type: 'number' },
    { name: 'created', type: 'date' },
    { name: 'username_key', type: 'text', readable: 'nobody' },
    { name: 'name_key', type: 'text', readable: 'nobody' },
  ],
  unique: [['username']],
  rules: {
    list: selfOrPublic(''),
    view: selfOrPublic(''),
    create: null,
    update: null,
    delete: null,
  },
  select: profileRows,
})

/** The settings of a new reader; the other fields are unset. */
export const newSettings = { isPrivate: false, default_add_status: 'reading' } as const

const settings = withLife(
  collection({
    name: 'settings',
    fields: [
      owner,
      { name: 'background', type: 'file', mimeTypes: images, thumbs: ['1287x480'] },
      // Strict, so that an invalid value can't make a private profile public.
      { name: 'isPrivate', type: 'bool', strict: true },
      { name: 'default_add_status', type: 'select', values: statuses, required: true },
      // Since when entries are shown on the free plan, to the reader and to others.
      { name: 'activities_since', type: 'text', readable: 'nobody', writable: 'never' },
      { name: 'activities_public_since', type: 'text', readable: 'nobody', writable: 'never' },
      { name: 'country', type: 'text', max: 2 },
      { name: 'stores', type: 'json', maxSize: 32_768, holds: asWritten<OwnStore[]> },
      // Set by the operator; only the reader can see it.
      { name: 'isHidden', type: 'bool', writable: 'never' },
      { name: 'accent', type: 'select', values: accents },
      // The numbers of entries newer than these two; see library/activity-limit.ts.
      { name: 'activities_newer', type: 'number', readable: 'nobody', writable: 'never' },
      { name: 'activities_public_newer', type: 'number', readable: 'nobody', writable: 'never' },
      // The reader's time zone; an IANA name.
      { name: 'time_zone', type: 'text', max: 64 },
      // The scale on which ratings are shown; they are stored out of 10.
      { name: 'rating_scale', type: 'select', values: ratingScales },
      // The language of the screens. Empty means the browser's.
      { name: 'language', type: 'select', values: Object.keys(languages) },
      // Whether missing covers and facts of books are looked up. Empty means on.
      { name: 'complete_books', type: 'select', values: ['on', 'off'] },
      // The hour at which the reader's day ends. Empty means midnight.
      { name: 'day_ends', type: 'select', values: dayEnds },
      // The days a week without reading that end no streak. Empty means none.
      { name: 'streak_days_off', type: 'select', values: streakDaysOff },
    ],
    unique: [['user']],
    rules: { list: own, view: own, create: never, update: own, delete: never },
  }),
  { imported: { title: () => 'Settings', identity: () => [] } },
)

const subscriptions = collection({
  name: 'subscriptions',
  fields: [
    { ...owner, writable: 'never' },
    { name: 'status', type: 'text', writable: 'never' },
    // When it ends, if it was cancelled, and the deadline for a failed payment.
    { name: 'ends', type: 'date', writable: 'never' },
    { name: 'pay_by', type: 'date', writable: 'never' },
  ],
  unique: [['user']],
  rules: { list: own, view: own, create: null, update: null, delete: null },
})

const shelfVisible = `${own} || (visibility = "public" && ${ownerIsPublic})`
const bookshelves = withLife(
  collection({
    name: 'bookshelves',
    trashLife,
    fields: [
      owner,
      { name: 'name', type: 'text', sortedBy: 'name_key' },
      { name: 'visibility', type: 'select', values: visibilities },
      { name: 'book_count', type: 'number', writable: 'never' },
      { name: 'covers', type: 'json', writable: 'never', holds: asWritten<string[]> },
      { name: 'latest', type: 'json', writable: 'never', holds: asWritten<Bookshelf['latest']> },
      created,
      updated,
      // The number of private books, which only the owner sees.
      { name: 'private_count', type: 'number', readable: 'owner', writable: 'never' },
      sortKeyOf('name'),
      { name: 'kind', type: 'select', values: shelfKinds, readable: 'owner', writable: 'create' },
    ],
    unique: [['user', 'kind']],
    rules: {
      list: shelfVisible,
      view: shelfVisible,
      ...ownersWrite,
    },
  }),
  {
    forms: [shelfForm],
    imported: {
      title: (values) => textIn(values, 'name'),
      identity: (values) => [values.kind || values.name],
    },
  },
)

const bookVisible = `${own} || (isPrivate = false && shelf.visibility = "public" && ${ownerIsPublic})`
const userBooks = withLife(
  collection({
    name: 'user_books',
    trashLife,
    fields: [
      owner,
      { name: 'shelf', type: 'relation', collection: 'bookshelves', cascadeDelete: true },
      { name: 'title', type: 'text', sortedBy: 'title_key', folded: foldedAs('title_words') },
      {
        name: 'authors',
        type: 'json',
        maxSize: 16_384,
        holds: asWritten<string[]>,
        sortedBy: 'authors_key',
        folded: foldedAs('authors_words'),
      },
      {
        name: 'genres',
        type: 'json',
        maxSize: 16_384,
        holds: asWritten<string[]>,
        folded: foldedAs('genres_words'),
      },
      { name: 'page_count', type: 'number' },
      { name: 'isbn', type: 'text', max: 40 },
      { name: 'images', type: 'json', maxSize: 16_384, holds: asWritten<string[]> },
      { name: 'image', type: 'file', mimeTypes: images, thumbs: ['350x0', '100x0'] },
      { name: 'progress', type: 'number' },
      { name: 'progress_average', type: 'number', writable: 'never' },
      { name: 'rating', type: 'number' },
      { name: 'status', type: 'select', values: statuses },
      { name: 'book_key', type: 'text', readable: 'owner', writable: 'never' },
      created,
      updated,
      { name: 'progress_percent', type: 'number' },
      {
        name: 'tags',
        type: 'json',
        maxSize: 16_384,
        holds: asWritten<string[] | null>,
        folded: wholeName('tags_keys'),
      },
      { name: 'notes', type: 'text', max: 20_000, readable: 'owner' },
      { name: 'review', type: 'text', max: 20_000 },
      { name: 'review_spoilers', type: 'bool' },
      { name: 'format', type: 'select', values: formats },
      // Both in minutes, for audio.
      { name: 'duration', type: 'number' },
      { name: 'progress_minutes', type: 'number' },
      { name: 'isPrivate', type: 'bool', strict: true },
      // Others could infer a private book from a gap.
      {
        name: 'position',
        type: 'number',
        readable: 'owner',
        min: -positionAtMost,
        max: positionAtMost,
      },
      sortKeyOf('title'),
      sortKeyOf('authors'),
      wordsOf('title'),
      wordsOf('authors'),
      wordsOf('genres'),
      nameKeysOf('tags'),
      // When the rating and the review last changed; '' without one.
      { name: 'rated', type: 'date', readable: 'nobody', writable: 'never' },
      { name: 'reviewed', type: 'date', readable: 'nobody', writable: 'never' },
      // The book's name as a work; see library/work.ts.
      { name: 'work', type: 'text', max: 600, readable: 'nobody', writable: 'never' },
      { name: 'language', type: 'text', max: 10 },
      { name: 'published', type: 'text', max: 10 },
      { name: 'series', type: 'text', max: 500 },
      { name: 'series_position', type: 'text', max: 20 },
      { name: 'description', type: 'text', max: 20_000 },
      {
        name: 'completed',
        type: 'json',
        readable: 'owner',
        writable: 'never',
        holds: asWritten<Completed | null>,
      },
      // The editions that it was before, the latest last.
      {
        name: 'former_editions',
        type: 'json',
        readable: 'nobody',
        writable: 'never',
        holds: asWritten<FormerEdition[] | null>,
      },
      // Kept by the server, as a list is sorted and filtered by them.
      { name: 'being_read', type: 'bool', writable: 'never' },
      // The latest day, month or year on which a reading finished the book; '' for none or unknown.
      { name: 'finished', type: 'text', max: 10, writable: 'never' },
      // The years of all such readings, the latest first.
      {
        name: 'years_read',
        type: 'json',
        maxSize: 16_384,
        writable: 'never',
        holds: asWritten<string[]>,
      },
    ],
    rules: {
      list: bookVisible,
      view: bookVisible,
      // Let a book without a shelf pass, so that the field error names the shelf.
      create: `@request.auth.id != "" && ${own} && (shelf = "" || shelf.user = @request.auth.id)`,
      update: own,
      delete: own,
    },
  }),
  {
    forms: [userBookForm, personalForm, factsForm],
    cleared: true,
    imported: {
      title: (values) => textIn(values, 'title'),
      identity: (values) => [values.shelf, bookKeyOf(values)],
    },
  },
)

/** The free plan shows only the newest entries; Premium Scholar shows all. */
const withinPlan = (since: string) =>
  `(user.settings_via_user.${since} = "" || created >= user.settings_via_user.${since} || user.subscriptions_via_user.status = "active")`

function activities(planDefault: Plan) {
  const isLimited = Number.isFinite(plans[planDefault].activities)
  const within = (since: string) => (isLimited ? ` && ${withinPlan(since)}` : '')
  const mine = `${own}${within('activities_since')}`
  // The other clause limits the owner's own view.
  const others = `user != @request.auth.id && isPrivate = false && shelf.visibility = "public" && book.isPrivate = false && book.shelf.visibility = "public" && ${ownerIsPublic}`
  const visible = `(${mine}) || (${others}${within('activities_public_since')})`
  return withLife(
    collection({
      name: 'activities',
      trashLife,
      fields: [
        {
          name: 'event_type',
          type: 'select',
          values: activityEvents,
          required: true,
          writable: 'never',
        },
        { ...owner, writable: 'never' },
        { name: 'book', type: 'relation', collection: 'user_books', writable: 'never' },
        { name: 'shelf', type: 'relation', collection: 'bookshelves', writable: 'never' },
        { name: 'isPrivate', type: 'bool', strict: true },
        { name: 'data', type: 'json', writable: 'never', holds: asWritten<Activity['data']> },
        created,
      ],
      rules: { list: visible, view: visible, create: null, update: mine, delete: mine },
    }),
    { cleared: true },
  )
}

/**
 * All collections of the product with their access rules.
 *
 * @param signInCode whether a password alone doesn't sign in: a code is mailed
 * @param passwordSignIn whether readers have passwords
 */
export function createSchema(planDefault: Plan, signInCode = true, passwordSignIn = true) {
  const withCodes = signInCode ? users : withoutCodes(users)
  return new Schema([
    passwordSignIn ? withCodes : withoutPasswords(users),
    profile,
    settings,
    subscriptions,
    bookshelves,
    userBooks,
    activities(planDefault),
    readings,
    progressLog,
    quotes,
    goals,
    importsCollection,
    importRows,
    connections,
    deviceBooks,
    deviceFiles,
    readingTimes,
    listeningSessions,
    deviceQuotes,
    tokens,
    privateFeeds,
    webhooks,
    webhookDeliveries,
  ])
}

/** For code that only needs collections and fields, which are the same for every plan. */
export const schema = createSchema('free')
