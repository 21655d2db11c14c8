import { errorMessage } from '#web/api/errors.ts'
import { useOutboxChanges, type OutboxChange } from '#web/api/outbox-changes.ts'
import { withKnownState } from '#web/features/library/add-to-shelf/add-to-shelf-state.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/scan.ts'
import type { Outcome, PileEntry, usePile } from './use-pile.ts'
import { withCommas } from '#web/i18n/format.ts'
import { useMutation } from '@tanstack/react-query'

type Pile = ReturnType<typeof usePile>

/**
 * The result of the latest scan, right below the camera, as a phone shows the list below the fold. On
 * wide screens, where the list is in sight, only screen readers get it.
 */
export function PileStatus({ pile, hidden }: { pile: Pile; hidden: boolean }) {
  const [newest] = pile.entries
  const waiting = useOutboxChanges()
  return (
    <output className="line-clamp-2 min-h-5 text-sm font-medium md:sr-only">
      {newest && !hidden
        ? t('itemOutcome', { title: nameOf(newest), outcome: outcomeText(newest, waiting) })
        : ''}
    </output>
  )
}

/** The scanned books, newest first, each with its result and actions. */
export function PileList({ pile, onByHand }: { pile: Pile; onByHand: (isbn: string) => void }) {
  const { entries } = pile
  const added = entries.filter(({ outcome }) => outcome.state === 'added').length
  return (
    <section aria-label={t('scannedBooks')} className="grid gap-2">
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h3 className="text-base font-medium tabular-nums">{t('addedCount', { count: added })}</h3>
        {entries.length > 0 ? (
          <Button variant="quiet" size="sm" onClick={pile.clear}>
            {t('clearList')}
          </Button>
        ) : null}
      </div>
      {entries.length === 0 ? (
        <p className="text-sm text-ink-soft">{t('booksYouScanAppearHere')}</p>
      ) : (
        <ul className="border-t border-line">
          {entries.map((entry) => (
            <PileRow key={entry.isbn} entry={entry} pile={pile} onByHand={onByHand} />
          ))}
        </ul>
      )}
    </section>
  )
}

function PileRow(props: { entry: PileEntry; pile: Pile; onByHand: (isbn: string) => void }) {
  const { entry, pile, onByHand } = props
  const { isbn, book, outcome } = entry
  const title = nameOf(entry)
  const waiting = useOutboxChanges()
  return (
    <li className="flex items-center gap-3 border-b border-line py-2">
      <span className="w-9 shrink-0">
        <Cover title={title} author={book?.authors[0]} src={book?.image_links[0]} alt="" />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5 text-sm">
        <p className="line-clamp-2 leading-5 font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
        <p className="flex items-center gap-1.5 text-ink-soft">
          {outcome.state === 'looking' ? <Spinner /> : null}
          <bdi className="wrap-anywhere">{outcomeText(entry, waiting)}</bdi>
        </p>
      </div>
      <RowAction
        outcome={outcome}
        title={title}
        onUndo={() => pile.undo(entry)}
        onPut={(allowDuplicate) => pile.put(entry, allowDuplicate)}
        onByHand={() => onByHand(isbn)}
      />
    </li>
  )
}

function RowAction(props: {
  outcome: Outcome
  title: string
  onUndo: () => Promise<void>
  onPut: (allowDuplicate: boolean) => Promise<void>
  onByHand: () => void
}) {
  const { outcome, title, onUndo, onPut, onByHand } = props
  const { mutate, isPending } = useMutation({
    mutationFn: async (run: () => unknown) => run(),
    onError: (error) => toast.error(errorMessage(error)),
  })
  const actions: Partial<Record<Outcome['state'], [label: string, run: () => unknown]>> = {
    added: [t('action.undo'), onUndo],
    elsewhere: [t('action.addHereToo'), () => onPut(true)],
    unknown: [t('addByHand'), onByHand],
    failed: [t('tryAgain'), () => onPut(false)],
    removed: [t('action.addAgain'), () => onPut(true)],
  }
  const action = actions[outcome.state]
  if (!action) return null
  const [label, run] = action
  return (
    <Button
      size="sm"
      pending={isPending}
      aria-label={t('actionOf', { action: label, title })}
      onClick={() => mutate(run)}
    >
      {label}
    </Button>
  )
}

function nameOf({ book, isbn }: PileEntry): string {
  return book?.title ?? isbn
}

const texts = {
  looking: 'lookingItUp',
  unknown: 'notInTheCatalogueYet',
  removed: 'removedAgain',
  waiting: 'addedWhenOnline',
} as const

/** The result of a scanned book, in words. */
function outcomeText({ isbn, outcome }: PileEntry, waiting: readonly OutboxChange[]): string {
  if (outcome.state === 'added') {
    const { record } = outcome
    const shelves = quoted([record.expand?.shelf?.name ?? t('yourShelf')])
    return withKnownState(t('addedTo', { shelves }), record, 'planning')
  }
  if (outcome.state === 'waiting') {
    const change = waiting.find((one) => one.kind === 'add' && one.isbn === isbn)
    if (!change) return t('addedWhenYouWereBack')
    if (change.problem?.kind === 'refused') return change.problem.message
    if (change.problem) return t(texts.unknown)
  }
  if (outcome.state === 'here') return t('alreadyOn', { shelves: quoted(outcome.shelves) })
  if (outcome.state === 'elsewhere') return t('youHaveItOn', { shelves: quoted(outcome.shelves) })
  if (outcome.state === 'failed') return outcome.message
  return t(texts[outcome.state])
}

/** A shelf may be called anything, such as "On the nightstand". */
const quoted = (shelves: readonly string[]) =>
  withCommas(shelves.map((text) => t('quoted', { text })))
