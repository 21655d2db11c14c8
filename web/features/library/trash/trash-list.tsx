import { useMutation, useQuery } from '@tanstack/react-query'
import { Bookmark, History, RotateCcw, Trash2 } from 'lucide-react'
import { Suspense } from 'react'
import type { TrashItem } from '#shared/trash.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { deleteFromTrash, trashQuery, restoreRecords } from '#web/api/trash.ts'
import { withCommas } from '#web/i18n/format.ts'
import { rich, t } from '#web/i18n/library.ts'
import * as profile from '#web/i18n/profile.ts'
import { lazy } from '#web/ui/lazy.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { distinctNames } from '#web/ui/distinct-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { RowSkeleton } from '../book-list/row-skeleton.tsx'
import { useRefreshLibrary } from './undo.ts'
import { Day } from '#web/ui/timestamp.tsx'

/** Fetched where a reading or a quote was removed. */
const RemovedAbout = lazy(() => import('./trash-item-details.tsx'))

/** The trash: each record with a button to restore it, and one button to delete all. */
export function TrashList() {
  const query = useQuery(trashQuery(useApi()))
  if (query.isPending)
    return <SkeletonGroup count={4} of={ItemSkeleton} label={t('loadingRemovedItems')} />
  if (!query.data) return <ErrorState {...dataError(query)} />
  if (query.data.length === 0) return <EmptyState>{t('nothingRemovedRecently')}</EmptyState>
  const names = distinctNames(query.data.map(nameOf))
  return (
    <>
      <ul ref={keepFocusInRows} className="border-t border-line">
        {query.data.map((item, place) => (
          <Item key={`${item.collection} ${item.id}`} item={item} name={names[place]!} />
        ))}
      </ul>
      <div className="flex justify-end pt-6">
        <EmptyButton />
      </div>
    </>
  )
}

const rowClass =
  'grid grid-cols-[--spacing(12)_minmax(0,1fr)] items-center gap-x-4 gap-y-2 border-b border-line py-4 sm:grid-cols-[--spacing(12)_minmax(0,1fr)_auto]'

/** @param props.name like no other's in the list */
function Item({ item, name }: { item: TrashItem; name: string }) {
  const api = useApi()
  const refresh = useRefreshLibrary()
  const back = useMutation({
    mutationFn: () => restoreRecords(api, { collection: item.collection, ids: [item.id] }),
    onSuccess: async () =>
      void (await fetchToast()).success(t('restoredNamed', { name: nameOf(item) })),
    onError: (error) => showError(errorMessage(error)),
    onSettled: refresh,
  })
  return (
    <li className={rowClass}>
      <Picture item={item} />
      <div className="grid min-w-0 gap-0.5">
        <p className="line-clamp-2 font-medium wrap-anywhere">
          <bdi>{nameOf(item)}</bdi>
        </p>
        <p className="text-sm text-ink-soft wrap-anywhere">
          <WhatItIs item={item} />
        </p>
        <p className="text-sm text-ink-faint tabular-nums">
          {rich('removedUntil', {
            removed: <Day key="removed" timestamp={item.removed} />,
            ends: <Day key="ends" timestamp={item.ends} />,
          })}
        </p>
      </div>
      <Button
        size="sm"
        icon={<RotateCcw />}
        className="max-sm:col-start-2 max-sm:justify-self-start"
        aria-label={t('restoreNamed', { name })}
        pending={back.isPending}
        onClick={() => back.mutate()}
      >
        {t('restore')}
      </Button>
    </li>
  )
}

function Picture({ item }: { item: TrashItem }) {
  if (item.collection === 'user_books')
    return (
      <span className="self-start">
        <Cover title={nameOf(item)} author={item.authors[0]} src={item.cover} alt="" />
      </span>
    )
  const Icon = item.collection === 'bookshelves' ? Bookmark : History
  return (
    <span className="grid size-12 place-items-center rounded-md bg-sunken text-ink-soft">
      <Icon aria-hidden className="size-5" />
    </span>
  )
}

function WhatItIs({ item }: { item: TrashItem }) {
  const { collection, shelf, books, authors } = item
  if (collection === 'bookshelves') return t('shelfWith', { count: books })
  if (collection === 'activities') return t('timelineEntry')
  if (collection !== 'user_books')
    return (
      <Suspense>
        <RemovedAbout item={item} />
      </Suspense>
    )
  // Names of either direction of writing stay in their places.
  const what = authors.length > 0 ? <bdi key="what">{withCommas(authors)}</bdi> : t('book')
  return shelf ? rich('whatOnShelf', { what, shelf: <bdi key="shelf">{shelf}</bdi> }) : what
}

function nameOf({ name, entry }: TrashItem): string {
  if (!entry) return name
  const { event_type, data } = entry
  const { title, shelf, progress: page, percent } = data
  if (event_type !== 'progress_updated') return profile.t(`entry.${event_type}`, { title, shelf })
  return percent
    ? profile.t('entry.progressPercent', { percent, title })
    : profile.t('entry.progressPage', { page, title })
}

function EmptyButton() {
  const api = useApi()
  const refresh = useRefreshLibrary()
  async function empty(): Promise<void> {
    try {
      await deleteFromTrash(api)
    } catch (error) {
      showError(errorMessage(error))
      throw error
    } finally {
      refresh()
    }
  }
  return (
    <ConfirmDialog
      description={t('deleteAllQuestion')}
      confirmLabel={t('deletePermanently')}
      onConfirm={empty}
      trigger={
        <Button variant="danger" icon={<Trash2 />}>
          {t('deleteAllPermanently')}
        </Button>
      }
    />
  )
}

function ItemSkeleton() {
  return (
    <RowSkeleton className={rowClass}>
      <Skeleton className="h-9 w-24 max-sm:hidden" />
    </RowSkeleton>
  )
}
