import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Rss } from 'lucide-react'
import { useState } from 'react'
import type { NewPrivateFeed, PrivateFeed } from '#shared/private-feed.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { endPrivateFeed, privateFeedQuery, renewPrivateFeed } from '#web/api/private-feeds.ts'
import { keys } from '#web/api/query-keys.ts'
import { useSite } from '#web/api/site.ts'
import { rich, t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { Ago, Day } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Line } from './connection-setup.tsx'

/** The secret addresses of a reader's own feed and calendar, shown when they are made. */
export function PrivateFeeds({ user }: { user: string }) {
  const api = useApi()
  const queries = useQueryClient()
  const query = useQuery(privateFeedQuery(api, user))
  const feed = query.data ?? null
  const [made, setMade] = useState<NewPrivateFeed | null>(null)
  const onError = (error: unknown) => void toast.error(errorMessage(error))
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.connections })
  const renew = useMutation({
    mutationFn: () => renewPrivateFeed(api, user, feed !== null),
    onSuccess: ({ secret, ...renewed }) => {
      queries.setQueryData(keys.privateFeedOf(user), renewed)
      setMade({ secret, ...renewed })
    },
    onError,
    onSettled,
  })
  const end = useMutation({
    mutationFn: (one: PrivateFeed) => endPrivateFeed(api, one),
    onError,
    onSettled,
  })
  return (
    <Section title={t('feeds')}>
      <p className="-mt-2 mb-4 text-sm text-ink-soft">{t('feedsHint')}</p>
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {/* Those that were renewed on another device have ended. */}
      {made && made.id === feed?.id ? <Addresses secret={made.secret} /> : null}
      {feed ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <p className="grow basis-40 text-sm text-ink-soft">
            <LastUse feed={feed} />
          </p>
          <div className="flex flex-wrap gap-2">
            <LazyConfirmButton
              description={t('feedsRenewQuestion')}
              confirmLabel={t('feedsRenew')}
              onConfirm={() => renew.mutateAsync()}
            >
              {t('feedsRenew')}
            </LazyConfirmButton>
            <LazyConfirmButton
              variant="danger"
              description={t('feedsEndQuestion')}
              confirmLabel={t('feedsEnd')}
              onConfirm={() => end.mutateAsync(feed)}
            >
              {t('feedsEnd')}
            </LazyConfirmButton>
          </div>
        </div>
      ) : (
        <Button icon={<Rss />} pending={renew.isPending} onClick={() => renew.mutate()}>
          {t('feedsMake')}
        </Button>
      )}
    </Section>
  )
}

function Addresses({ secret }: { secret: string }) {
  const { url } = useSite()
  return (
    <div className="mb-4">
      <p className="mb-3 text-sm font-medium">{t('feedsCopyNow')}</p>
      <dl className="border-t border-line">
        <Line name={t('feedsAtom')} value={`${url}/feeds/${secret}.atom`} />
        <Line name={t('feedsCalendar')} value={`${url}/feeds/${secret}.ics`} />
      </dl>
    </div>
  )
}

function LastUse({ feed: { created, last_used } }: { feed: PrivateFeed }) {
  const day = <Day timestamp={created} />
  if (!last_used) return rich('feedsUnused', { day })
  return rich('feedsUsed', { day, ago: <Ago timestamp={last_used} /> })
}
