import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { errorMessage, isUnanswered } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { toast } from '#web/ui/toast.tsx'
import { BookFields } from './book-fields.tsx'
import { useRemovalToast } from './undo.ts'
import { useBookEdit, useBookRemoval } from './use-book-edit.ts'

/** All about one book on a shelf: a sheet on phones, a dialog on wide screens. */
export function BookEditor(props: {
  book: UserBook
  open: boolean
  onOpenChange: (open: boolean) => void
  /** When its removal leaves nothing to look at. */
  onLastRemoved?: (() => void | Promise<void>) | undefined
  /** Somebody else's book: nothing in it can be changed. */
  readOnly?: boolean | undefined
}) {
  const { book, open, onOpenChange, onLastRemoved, readOnly = false } = props
  const formId = useId()
  const edit = useBookEdit(book)
  return (
    <Dialog
      title={<bdi className="line-clamp-2 wrap-anywhere">{book.title}</bdi>}
      description={
        <bdi className="line-clamp-1">
          {book.authors.join(', ') || 'Where you are, and what you think of it.'}
        </bdi>
      }
      open={open}
      onOpenChange={onOpenChange}
      footer={
        readOnly ? undefined : (
          <div className="grid gap-3 md:w-full">
            {edit.error && isUnanswered(edit.error) ? (
              // The message of it is soon gone, and covers the banner that says why.
              <p className="text-sm font-medium text-danger">
                Not saved. What you typed stays here until you are back.
              </p>
            ) : null}
            {/* One row on phones too: what is typed above needs the height. */}
            <div className="flex justify-between gap-2">
              <RemoveButton book={book} onLastRemoved={onLastRemoved} />
              <Button
                type="submit"
                form={formId}
                variant="primary"
                pending={edit.isPending}
                className="max-md:flex-1"
              >
                Save
              </Button>
            </div>
          </div>
        )
      }
    >
      <BookFields
        formId={formId}
        book={book}
        save={readOnly ? undefined : { edit, onSaved: () => onOpenChange(false) }}
      />
    </Dialog>
  )
}

function RemoveButton(props: {
  book: UserBook
  onLastRemoved: (() => void | Promise<void>) | undefined
}) {
  const { book, onLastRemoved } = props
  const removal = useBookRemoval(book.id, onLastRemoved)
  const tell = useRemovalToast()
  async function remove(): Promise<void> {
    try {
      await removal.mutateAsync()
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    tell(`Removed ${book.title}`, 'user_books', [book.id])
  }
  return (
    <ConfirmDialog
      description={
        <span className="wrap-anywhere">
          This removes <bdi>{book.title}</bdi> from the shelf. It cannot be recovered.
        </span>
      }
      confirmLabel="Remove book"
      onConfirm={remove}
      trigger={
        <Button variant="danger" icon={<Trash2 />}>
          Remove
        </Button>
      }
    />
  )
}
