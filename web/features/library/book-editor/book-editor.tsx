import { Trash2 } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { trashDays } from '#shared/trash.ts'
import type { UserBook } from '#shared/user-book.ts'
import { bookRemoved, errorMessage, isNotFound, isNetworkError } from '#web/api/errors.ts'
import { rich, t } from '#web/i18n/library.ts'
import { lazy } from '#web/ui/lazy.ts'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.tsx'
import { BookFields } from './book-fields.tsx'
import { BookOfReader } from './book-of-reader.tsx'
import { useRemovalToast } from '../trash/undo.ts'
import { useBookFields } from './use-book-fields.ts'
import { useBookEdit, useBookRemoval, type Leave } from './use-book-edit.ts'
import { withCommas } from '#web/i18n/format.ts'

type EditorProps = DialogState & {
  book: UserBook
  /** Goes elsewhere after a removal. */
  onRemoved?: Leave | undefined
}

/**
 * All about one book on a shelf: a sheet on phones, a dialog on wide screens.
 *
 * @param props.readOnly for somebody else's book
 */
export function BookEditor(props: EditorProps & { readOnly?: boolean | undefined }) {
  const { readOnly = false, ...editor } = props
  return readOnly ? <BookOfReader {...editor} /> : <Editor {...editor} />
}

function Editor({ book, open, onOpenChange, onRemoved }: EditorProps) {
  const formId = useId()
  const edit = useBookEdit(book)
  const { variables, isPending } = edit
  const isRemoved = isPending ? variables.isRemoved === true : isNotFound(edit.error)
  const close = () => onOpenChange(false)
  const reopen = () => onOpenChange(true)
  const fields = useBookFields(book, { edit, isRemoved, close, reopen })
  return (
    <Dialog
      title={<bdi className="line-clamp-2 wrap-anywhere">{book.title}</bdi>}
      description={
        <bdi className="line-clamp-1">{withCommas(book.authors) || t('yourProgressAndRating')}</bdi>
      }
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <div className="grid gap-3 md:w-full">
          <p role="alert" className="text-sm font-medium text-danger empty:hidden">
            {notSaved(edit)}
          </p>
          {/* One row on phones too: what is typed above needs the height. */}
          <div className="flex justify-between gap-2">
            {isRemoved ? null : <RemoveButton book={book} onRemoved={onRemoved} onClose={close} />}
            <Button
              type="submit"
              form={formId}
              variant="primary"
              pending={isPending}
              className="ms-auto max-md:flex-1"
            >
              {isRemoved ? t('restoreAndSave') : t('save')}
            </Button>
          </div>
        </div>
      }
    >
      <BookFields formId={formId} book={book} fields={fields} />
      {isRemoved ? null : <Journal book={book} />}
    </Dialog>
  )
}

const BookJournal = lazy(() => import('../journal/book-journal.tsx'))

/** Notes, readings and quotes below the form. They save on their own and load when unfolded. */
function Journal({ book }: { book: UserBook }) {
  const [wanted, setWanted] = useState(false)
  return (
    <Disclosure
      summary={t('datesTagsNotesAndQuotes')}
      className="border-t border-b-0"
      onToggle={(open) => (open ? setWanted(true) : undefined)}
    >
      {wanted ? (
        <Suspense fallback={<Spinner />}>
          <BookJournal book={book} isOwner />
        </Suspense>
      ) : null}
    </Disclosure>
  )
}

/** Errors that the form explains itself. A toast about the connection would cover the banner. */
function notSaved({ error, variables }: ReturnType<typeof useBookEdit>): string | undefined {
  if (isNetworkError(error)) return t('notSavedOffline')
  if (!isNotFound(error)) return undefined
  return variables?.isRemoved
    ? t('notSavedRemoved')
    : t('whatYouTypedStays', { reason: bookRemoved() })
}

function RemoveButton(props: {
  book: UserBook
  onRemoved: Leave | undefined
  onClose: () => void
}) {
  const { book, onRemoved, onClose } = props
  const removal = useBookRemoval(book.id)
  const tell = useRemovalToast()
  async function remove(): Promise<void> {
    try {
      await removal.mutateAsync(onRemoved)
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    onClose()
    tell(t('removedNamed', { name: book.title }), 'user_books', [book.id])
  }
  return (
    <ConfirmDialog
      description={
        <span className="wrap-anywhere">
          {rich('removalOfBook', {
            title: <bdi key="title">{book.title}</bdi>,
            note: t('removalNote', { days: trashDays }),
          })}
        </span>
      }
      confirmLabel={t('removeBook')}
      onConfirm={remove}
      trigger={
        <Button variant="danger" icon={<Trash2 />}>
          {t('remove')}
        </Button>
      }
    />
  )
}
