import { useEffect } from 'react'
import type { Outbox } from '#web/api/outbox.ts'
import { useOutboxChanges } from '#web/api/outbox-changes.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { t } from '#web/i18n/offline.ts'
import { Banner } from './banner.tsx'
import { useOutbox } from './use-outbox.ts'

/** Keeps a reader's changes while there is no connection, and sends them when there is one. */
export default function OutboxSender(props: {
  user: string
  isOffline: boolean
  setOffline: (isOffline: boolean) => void
}) {
  const { user, isOffline, setOffline } = props
  const outbox = useOutbox(user)
  useEffect(() => {
    // Also what a tab left that was closed before it could send.
    if (!isOffline) void outbox?.send().then((isReached) => setOffline(!isReached))
  }, [isOffline, outbox, setOffline])
  return outbox ? <Review outbox={outbox} isOffline={isOffline} /> : null
}

const loadDialog = async () => (await import('./outbox-dialog.tsx')).OutboxDialog

/**
 * Lets the reader decide about offline changes that couldn't be saved. An open dialog stays open when
 * the connection is lost again.
 */
function Review({ outbox, isOffline }: { outbox: Outbox; isOffline: boolean }) {
  const { length } = useOutboxChanges().filter(({ problem }) => problem)
  const { Dialog, round, state, button } = useLazyDialog(loadDialog)
  return (
    <>
      <output className="contents">
        {length > 0 && !isOffline ? (
          <Banner
            action={
              <Button size="sm" {...button}>
                {t('review')}
              </Button>
            }
          >
            {length === 1
              ? t('aChangeYouMadeOffline')
              : t('changesCouldntBeSaved', { count: length })}
          </Banner>
        ) : null}
      </output>
      {Dialog ? <Dialog key={round} outbox={outbox} {...state} /> : null}
    </>
  )
}
