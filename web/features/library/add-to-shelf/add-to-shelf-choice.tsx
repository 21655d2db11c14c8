import { Lock, Plus } from 'lucide-react'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { UserBook } from '#shared/user-book.ts'
import { errorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { statusLabel } from '#web/ui/status-badge.tsx'

/** A reader's shelves to choose one from; those that have the book already cannot be chosen. */
export function ShelfChoice(props: {
  /** Undefined while they load. */
  shelves: Pick<Bookshelf, 'id' | 'name' | 'visibility'>[] | undefined
  error: unknown
  onRetry: () => void
  /** Copies of the book by shelf. */
  taken: ReadonlyMap<string, UserBook>
  value: string
  onValueChange: (shelf: string) => void
  onNew: () => void
}) {
  const { shelves, error, onRetry, taken, value, onValueChange, onNew } = props
  if (error && !shelves)
    return <ErrorState title={t('dataError')} message={errorMessage(error)} onRetry={onRetry} />
  if (!shelves)
    return (
      <SkeletonGroup
        count={3}
        of={RowSkeleton}
        label={t('loadingYourShelves')}
        className="grid gap-2"
      />
    )
  return (
    <div className="grid gap-2">
      <RadioGroup
        label={t('shelf')}
        value={value}
        onValueChange={onValueChange}
        options={shelves.map(({ id, name, visibility }) => {
          const copy = taken.get(id)
          return {
            value: id,
            disabled: Boolean(copy),
            label: <ShelfName name={name} isPrivate={visibility === 'private'} />,
            hint: copy ? t('alreadyHere', { status: statusLabel(copy.status) }) : undefined,
          }
        })}
      />
      <Button variant="quiet" icon={<Plus />} className="justify-self-start" onClick={onNew}>
        {t('newShelf')}
      </Button>
    </div>
  )
}

function ShelfName({ name, isPrivate }: { name: string; isPrivate: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
      {isPrivate ? (
        <>
          <Lock aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
          <span className="sr-only">{t('private')}</span>
        </>
      ) : null}
    </span>
  )
}

function RowSkeleton() {
  return <Skeleton className="h-11 w-full rounded-md" />
}
