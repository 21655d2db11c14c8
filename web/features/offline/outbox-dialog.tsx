import { errorMessage } from '#web/api/errors.ts'
import { mergedChange, type Outbox } from '#web/api/outbox.ts'
import {
  useOutboxChanges,
  type ProgressFields,
  type OutboxBook,
  type OutboxChange,
  type OutboxEdit,
} from '#web/api/outbox-changes.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { ratingText, type RatingScale } from '#web/ui/rating-steps.ts'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/offline.ts'
import { statusLabel } from '#web/ui/status-badge.tsx'
import { formatPercent, withCommas } from '#web/i18n/format.ts'
import { useMutation } from '@tanstack/react-query'

/** The changes that couldn't be saved, each with what the reader can do. */
export function OutboxDialog(props: {
  outbox: Outbox
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { outbox, ...state } = props
  const changes = useOutboxChanges()
  const problems = changes.filter(({ problem }) => problem)
  return (
    <Dialog {...state} title={t('changesToReview')} description={t('theseChangesWereMadeOn')}>
      {problems.length === 0 ? (
        <p className="text-sm text-ink-soft">{t('everythingIsSaved')}</p>
      ) : (
        <ul ref={keepFocusInRows} className="grid gap-4">
          {problems.map((change) => (
            <li key={change.number} className="grid gap-3 border-b border-line pb-4 last:border-0">
              {change.kind === 'edit' ? (
                <Edit edit={change} edits={editsOf(changes, change.book)} outbox={outbox} />
              ) : (
                <Scanned book={change} outbox={outbox} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function editsOf(changes: readonly OutboxChange[], book: string): OutboxEdit[] {
  return changes.filter((one) => one.kind === 'edit').filter((one) => one.book === book)
}

function Edit(props: { edit: OutboxEdit; edits: readonly OutboxEdit[]; outbox: Outbox }) {
  const { edit, edits, outbox } = props
  const { title, problem } = edit
  if (problem?.kind !== 'conflict')
    return (
      <Problem
        title={title}
        text={problem?.kind === 'refused' ? problem.message : ''}
        actions={[
          [t('tryAgain'), () => sendAgain(outbox, edit)],
          [t('discard'), () => outbox.discard(edits)],
        ]}
      />
    )
  const mine = { ...problem.current, ...mergedChange(edits) }
  return (
    <>
      <h3 className="text-base font-medium wrap-anywhere">
        <bdi>{title}</bdi>
      </h3>
      <dl className="grid grid-cols-2 gap-4 text-sm">
        <Version label={t('onThisDevice')} place={mine} />
        <Version label={t('savedElsewhere')} place={problem.current} />
      </dl>
      <Actions
        title={title}
        actions={[
          [t('useThisDevices'), () => outbox.keepMine(edits)],
          [t('keepTheSavedOne'), () => outbox.discard(edits)],
        ]}
      />
    </>
  )
}

function Version({ label, place }: { label: string; place: ProgressFields }) {
  const scale = useRatingScale()
  return (
    <div className="grid content-start gap-1 rounded-md border border-line p-3">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="font-medium tabular-nums">{placeText(place, scale)}</dd>
    </div>
  )
}

/** @returns a place in a book in words */
function placeText(
  { status, progress, progress_percent, rating }: ProgressFields,
  scale: RatingScale,
): string {
  const parts = [
    status && statusLabel(status),
    progress !== undefined && !progress_percent && t('pageReached', { page: progress }),
    progress_percent && formatPercent(progress_percent),
    rating !== undefined &&
      (rating > 0 ? t('ratedIs', { rating: ratingText(rating, scale) }) : t('noRating')),
  ]
  return withCommas(parts.filter((part): part is string => typeof part === 'string' && part !== ''))
}

function Scanned({ book, outbox }: { book: OutboxBook; outbox: Outbox }) {
  const { problem, isbn } = book
  return (
    <Problem
      title={t('isbnOf', { isbn })}
      text={problem?.kind === 'refused' ? problem.message : t('thisBookIsntInThe')}
      actions={[
        [t('tryAgain'), () => sendAgain(outbox, book)],
        [t('discard'), () => outbox.discard([book])],
      ]}
    />
  )
}

async function sendAgain(outbox: Outbox, change: OutboxChange): Promise<void> {
  await outbox.retry(change)
  await outbox.send()
}

type Action = [label: string, run: () => Promise<unknown>]

function Problem(props: { title: string; text: string; actions: readonly Action[] }) {
  const { title, text, actions } = props
  return (
    <>
      <div className="grid gap-1">
        <h3 className="text-base font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </h3>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
      <Actions title={title} actions={actions} />
    </>
  )
}

function Actions({ title, actions }: { title: string; actions: readonly Action[] }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async (run: () => unknown) => run(),
    onError: (error) => toast.error(errorMessage(error)),
  })
  return (
    <div className="grid grid-cols-2 gap-4">
      {actions.map(([label, run]) => (
        <Button
          key={label}
          pending={isPending}
          aria-label={t('actionOf', { action: label, title })}
          onClick={() => mutate(run)}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
