import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Reading } from '#shared/reading.ts'
import { keys } from './query-keys.ts'
import { ifInvalidated } from './query-client.ts'

/** As many as may be re-reads of a few books. */
const maxTopRated = 30

/** The titles a reader gave full marks to in a year or month, newest first. */
export function topRatedQuery(api: PocketBase, user: string, period: string) {
  const params = { user, period, last: `${period}${period.length > 4 ? '' : '-12'}-31` }
  return queryOptions({
    queryKey: keys.topRated(user, period),
    queryFn: async () => {
      const { items } = await api
        .collection<Pick<Reading, 'title'>>('readings')
        .getList(1, maxTopRated, {
          filter: `${api.filter(
            'user = {:user} && finished >= {:period} && finished <= {:last}',
            params,
          )} && rating = 10 && outcome = "finished" && uncounted = false`,
          sort: '-finished,-created,id',
          fields: 'title',
          skipTotal: true,
        })
      return [...new Set(items.map(({ title }) => title))]
    },
    refetchOnMount: ifInvalidated,
  })
}
