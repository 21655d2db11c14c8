import {
  hashKey,
  type InfiniteData,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query'

/** A page of a list. `isOld` means that the last fetch left it out, as it was out of sight. */
export type Page<T> = T & { isOld?: true }

/** A list on the screen. */
interface ShownList {
  /** @param page counted from 0 */
  isInSight: (page: number) => boolean
  /** Whether the list fetches only old pages that have come into sight. */
  isCatchingUp: boolean
}

/** The lists on the screen by the keys of their queries; none in the server. */
const shown = new Map<string, ShownList>()

/**
 * The function of an infinite query that fetches again only the pages in sight, however far its
 * reader has come. The others are kept and marked; {@link showPages} fetches them when they come into
 * sight. Of a list that isn't on the screen, the first page counts as in sight.
 */
export function pageByPage<T extends object>(
  fetch: (context: QueryFunctionContext<QueryKey, number>) => Promise<T>,
) {
  return async (context: QueryFunctionContext<QueryKey, number>): Promise<Page<T>> => {
    // The signal is left alone: a query that reads it is cancelled when its list goes.
    const { client, queryKey, pageParam } = context
    const known = client.getQueryData<InfiniteData<Page<T>, number>>(queryKey)
    const place = known?.pageParams.indexOf(pageParam) ?? -1
    const page = known?.pages[place]
    if (!page) return fetch(context)
    const list = shown.get(hashKey(queryKey))
    const isChanged = client.getQueryState(queryKey)?.isInvalidated === true
    const isCatchingUp = list?.isCatchingUp === true && !isChanged
    if (list?.isInSight(place) ?? place === 0)
      return isCatchingUp && !page.isOld ? page : fetch(context)
    return isCatchingUp ? page : { ...page, isOld: true }
  }
}

/**
 * Tells which pages of a list on the screen are in sight.
 *
 * @param refetch fetches the list
 * @returns `catchUp` fetches the old pages in sight, to be called when others may have come into it
 */
export function showPages(
  queryKey: QueryKey,
  isInSight: ShownList['isInSight'],
  refetch: () => Promise<unknown>,
): { catchUp: (pages: readonly Page<object>[]) => void; hide: () => void } {
  const list: ShownList = { isInSight, isCatchingUp: false }
  const hash = hashKey(queryKey)
  shown.set(hash, list)
  return {
    catchUp(pages) {
      if (list.isCatchingUp || !pages.some(({ isOld }, page) => isOld && isInSight(page))) return
      list.isCatchingUp = true
      void refetch().finally(() => (list.isCatchingUp = false))
    },
    hide: () => void (shown.get(hash) === list && shown.delete(hash)),
  }
}
