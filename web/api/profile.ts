import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { ClientResponseError } from 'pocketbase'
import { redirect, useParams } from 'react-router'
import type { Profile } from '#shared/account.ts'
import type { FinishedMonth } from '#shared/finished-month.ts'
import type { UserBook } from '#shared/user-book.ts'
import { usernamePattern } from '#shared/username.ts'
import { apiError, isApiError, isNotFound, withErrorMessage } from './errors.ts'
import type { LoadInput } from './load.ts'
import { t } from '#web/i18n/profile.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'
import { useApi } from './context.ts'
import { useSession } from './session.ts'

/** The numbers of a profile, which are counted separately from what its page needs. */
export type ProfileNumbers = Pick<Profile, (typeof numbers)[number]>
const numbers = ['average_rating', 'books_read', 'shelves_count', 'pages_read'] as const

/** The fields that the header of a profile shows. */
export type ProfileHead = Pick<Profile, (typeof head)[number]>
const head = [
  ...(['id', 'collectionId', 'collectionName', 'username', 'name', 'avatar'] as const),
  ...(['background', 'isPrivate', 'created'] as const),
]

/** A reader's four numbers; they may come after the page. */
export function profileNumbersQuery(api: PocketBase, { id, username }: ProfileHead) {
  return queryOptions({
    queryKey: keys.profileNumbers(username.toLowerCase()),
    queryFn: () =>
      withErrorMessage(t('failedToGetProfile'), () =>
        api.collection<ProfileNumbers>('profile').getOne(id, { fields: numbers.join() }),
      ),
  })
}

/** How many books a reader has finished in each of the last twelve months, the earliest first. */
export function finishedMonthsQuery(api: PocketBase, username: string) {
  return queryOptions({
    queryKey: keys.finishedMonths(username.toLowerCase()),
    queryFn: async () => {
      const path = `/api/v1/users/${encodeURIComponent(username)}/months`
      return (await fetchData<{ items: FinishedMonth[] }>(api, path)).items
    },
  })
}

/** A reader's page by username, in any case. A 404 says "User profile not found." */
export function profileQuery(api: PocketBase, username: string) {
  const name = username.toLowerCase()
  return queryOptions({
    queryKey: keys.profile(name),
    queryFn: async () => {
      // Texts that can't be usernames, such as thousands of characters, aren't sent to the server.
      if (!usernamePattern.test(name)) throw notFound(t('userProfileNotFound'))
      const filter = api.filter('username = {:name}', { name })
      const list = await withErrorMessage(t('failedToGetProfile'), () =>
        api.collection<ProfileHead>('profile').getList(1, 1, {
          filter,
          skipTotal: true,
          fields: head.join(),
        }),
      )
      const [profile] = list.items
      if (!profile) throw notFound(t('userProfileNotFound'))
      return profile
    },
  })
}

/** @returns the reader whose page is open, as they are called, and whether they look at it themselves */
export function useProfile() {
  const { username = '' } = useParams()
  const { data: profile, error } = useSuspenseQuery(profileQuery(useApi(), username))
  const isOwner = useSession()?.user.id === profile.id
  return { profile, error, isOwner, name: profile.name || profile.username }
}

/** As much of a book as its spine shows. */
export type SpineBook = Pick<UserBook, 'id' | 'title' | 'authors' | 'page_count'>

/** Spines that fill the widest banner. */
const maxSpines = 40

/** The newest books of a reader, to draw a band of; it need not follow every change. */
export function spinesQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.spines(user),
    queryFn: async () => {
      const { items } = await api.collection<SpineBook>('user_books').getList(1, maxSpines, {
        filter: api.filter('user = {:user}', { user }),
        sort: '-created,id',
        skipTotal: true,
        fields: 'id,title,authors,page_count',
      })
      return items
    },
  })
}

/**
 * Fetches the profile that a page is about. The page of a name that was given up leads to the same
 * page of the reader's name of today.
 */
export async function loadProfile({ api, fetch, params, url }: LoadInput): Promise<ProfileHead> {
  const username = params['username'] ?? ''
  try {
    return await fetch(profileQuery(api, username))
  } catch (error) {
    const current = isNotFound(error) ? await currentUsername(api, username) : null
    if (!current || current === username.toLowerCase()) throw error
    const rest = url.pathname.split('/').slice(3)
    throw redirect(['/u', current, ...rest].join('/') + url.search)
  }
}

async function currentUsername(api: PocketBase, username: string): Promise<string | null> {
  try {
    const path = `/api/v1/usernames/${encodeURIComponent(username)}`
    return (await fetchData<{ username: string }>(api, path)).username
  } catch (error) {
    if (isApiError(error) && error.status < 500) return null
    throw error
  }
}

function notFound(message: string): ClientResponseError {
  return apiError(404, { message, sentence: message })
}
