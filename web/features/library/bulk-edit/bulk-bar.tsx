import {
  Book,
  CircleDot,
  Eye,
  EyeOff,
  FolderInput,
  Headphones,
  SlidersHorizontal,
  TabletSmartphone,
  Tag,
  Trash2,
} from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { visibilities } from '#shared/bookshelf.ts'
import { formats, type Format } from '#shared/reading.ts'
import { trashDays } from '#shared/trash.ts'
import { statuses, type Status, type UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { t } from '#web/i18n/bulk.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { addTags, setFormat, setStatus, setPrivate, moveTo, type BulkEdit } from './bulk-edits.ts'
import { TagsField } from '../book-editor/tags-field.tsx'
import { useBulkEdit, type BulkTarget } from './use-bulk-edit.ts'

/** The bulk edit bar. It stays in sight while the list scrolls. */
export default function BulkBar(props: {
  user: string
  /** Whether books are selected, or shelves with their books. */
  target: BulkTarget
  /** How many could be selected. */
  total: number
  onSelectAll: () => Promise<void>
  /** Keeps of the selection only what could not be changed. */
  onKeep: (ids: ReadonlySet<string>) => void
  onEnd: () => void
  /** When all there was is gone from here. */
  onEmptied?: (() => void | Promise<void>) | undefined
}) {
  const { user, target, total, onSelectAll, onKeep, onEnd, onEmptied } = props
  const count = target.chosen.length
  const edit = useBulkEdit(target, {
    partly: onKeep,
    done: (isGone) => {
      onEnd()
      if (isGone && count === total) void onEmptied?.()
    },
  })
  const [selecting, setSelecting] = useState(false)
  const isOff = count === 0 || edit.progress !== null
  const button = (icon: ReactNode, label: string) => (
    <Button size="sm" icon={icon} disabled={isOff}>
      {label}
    </Button>
  )
  async function selectAll(): Promise<void> {
    setSelecting(true)
    await onSelectAll().finally(() => setSelecting(false))
  }
  return (
    <section
      aria-label={t('bulkEditing')}
      className="above-bottom-bar z-30 mt-6 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line-strong bg-raised p-3 shadow-lift max-md:[&_button]:px-2 max-md:[&_button>[aria-hidden]]:hidden"
    >
      <div className="flex flex-1 flex-wrap items-center gap-2 max-md:basis-full">
        <p
          aria-live="polite"
          className="px-1 max-md:me-auto md:min-w-24 text-sm font-medium tabular-nums"
        >
          {t('selected', { count })}
        </p>
        <Button
          size="sm"
          variant="quiet"
          pending={selecting}
          disabled={count >= total || edit.progress !== null}
          onClick={() => void selectAll()}
        >
          {t('selectAll', { count: total })}
        </Button>
        <Button size="sm" variant="quiet" disabled={edit.progress !== null} onClick={onEnd}>
          {t('done')}
        </Button>
      </div>
      {edit.progress === null ? (
        <div className="flex flex-wrap gap-1 md:gap-2">
          <MoveMenu
            user={user}
            trigger={button(<FolderInput />, t('move'))}
            onMove={(shelf, name) => edit.change(moveTo(shelf, name))}
          />
          <StatusMenu
            trigger={button(<CircleDot />, t('setStatus'))}
            onChoose={(status) => edit.change(setStatus(status))}
          />
          <DetailsMenu
            trigger={button(<SlidersHorizontal />, t('bulkDetails'))}
            onChoose={edit.change}
          />
          {target.kind === 'shelves' ? (
            <Menu trigger={button(<Eye />, t('visibility'))} align="start">
              {visibilities.map((visibility) => (
                <MenuItem key={visibility} onSelect={() => edit.setVisibility(visibility)}>
                  {t(`visibility.${visibility}`)}
                </MenuItem>
              ))}
            </Menu>
          ) : null}
          <ConfirmDialog
            description={removalWarning(target)}
            confirmLabel={target.kind === 'shelves' ? t('deleteShelves') : t('removeBooks')}
            // The bar shows how far it is, and stays.
            onConfirm={edit.remove}
            trigger={
              <Button size="sm" variant="danger" icon={<Trash2 />} disabled={isOff}>
                {t('remove')}
              </Button>
            }
          />
        </div>
      ) : (
        <ProgressBar
          className="min-w-64 flex-1"
          percent={(edit.progress.done / Math.max(1, edit.progress.total)) * 100}
          label={t('bulkEditing')}
          text={t('doneOfTotal', { done: edit.progress.done, total: edit.progress.total })}
          showText
        />
      )}
      <Failures failed={edit.failed} onClose={edit.forgetFailures} />
    </section>
  )
}

function removalWarning({ kind, chosen }: BulkTarget): string {
  if (kind === 'books')
    return t('removalOfBooks', {
      count: chosen.length,
      note: t('removalNote', { days: trashDays }),
    })
  const books = chosen.reduce((sum, { book_count }) => sum + book_count, 0)
  return t('removalOfShelves', {
    count: chosen.length,
    books,
    note: t('removalNote', { days: trashDays }),
  })
}

function MoveMenu(props: {
  user: string
  trigger: ReactNode
  onMove: (shelf: string, name: string) => void
}) {
  const { data: shelves = [] } = useQuery(shelfNamesQuery(useApi(), props.user))
  return (
    <Menu trigger={props.trigger} align="start">
      {shelves.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => props.onMove(id, name)}>
          <bdi className="line-clamp-1 max-w-72">{name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  )
}

function StatusMenu(props: { trigger: ReactNode; onChoose: (status: Status) => void }) {
  return (
    <Menu trigger={props.trigger} align="start">
      {statuses.map((status) => (
        <MenuItem
          key={status}
          icon={<StatusIcon status={status} />}
          onSelect={() => props.onChoose(status)}
        >
          {statusLabel(status)}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Bulk edits of tags, format and privacy. */
function DetailsMenu(props: { trigger: ReactNode; onChoose: (how: BulkEdit<UserBook>) => void }) {
  const [isTagging, setTagging] = useState(false)
  const [tags, setTags] = useState<string[]>([])
  const end = () => {
    setTagging(false)
    setTags([])
  }
  const choose = (how: BulkEdit<UserBook>) => () => props.onChoose(how)
  return (
    <>
      <Menu trigger={props.trigger} align="start">
        <MenuItem icon={<Tag />} onSelect={() => setTagging(true)}>
          {t('addTags')}
        </MenuItem>
        {formats.map((format) => (
          <MenuItem
            key={format}
            icon={<FormatIcon format={format} />}
            onSelect={choose(setFormat(format))}
          >
            {t('setFormat', { format: t(`format.${format}`) })}
          </MenuItem>
        ))}
        <MenuItem icon={<EyeOff />} onSelect={choose(setPrivate(true))}>
          {t('hideBooks')}
        </MenuItem>
        <MenuItem icon={<Eye />} onSelect={choose(setPrivate(false))}>
          {t('showToOthers')}
        </MenuItem>
      </Menu>
      <Dialog
        title={t('addTags')}
        open={isTagging}
        onOpenChange={(open) => (open ? undefined : end())}
        footer={
          <Button
            variant="primary"
            onClick={() => {
              if (tags.length > 0) props.onChoose(addTags(tags))
              end()
            }}
          >
            {t('addTags')}
          </Button>
        }
      >
        <TagsField value={tags} onChange={setTags} />
      </Dialog>
    </>
  )
}

function FormatIcon({ format }: { format: Format }) {
  const Icon = { print: Book, ebook: TabletSmartphone, audio: Headphones }[format]
  return <Icon />
}

/** Lists the items that couldn't be changed, each with its reason. */
function Failures(props: {
  failed: readonly { name: string; message: string }[]
  onClose: () => void
}) {
  const { failed, onClose } = props
  return (
    <Dialog
      title={t('couldNotBeChanged', { count: failed.length })}
      description={t('restWasChanged')}
      open={failed.length > 0}
      onOpenChange={(open) => (open ? undefined : onClose())}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <ul className="grid gap-3">
        {failed.map(({ name, message }, place) => (
          <li key={place} className="text-sm wrap-anywhere">
            <bdi className="font-medium">{name}</bdi>
            <span className="block text-ink-soft">{message}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
