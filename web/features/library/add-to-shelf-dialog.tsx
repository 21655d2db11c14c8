import { useId, useState } from 'react'
import type { Book } from '#shared/book.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { errorMessage } from '#web/api/errors.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog-sheet.tsx'
import type { DialogState } from '#web/ui/late-dialog.ts'
import { useOneAtATime } from '#web/ui/one-at-a-time.ts'
import { toast } from '#web/ui/toast.tsx'
import { defaultStatus, useAddToShelf, useShelvesFor } from './add-to-shelf-book.ts'
import { ShelfChoice } from './add-to-shelf-choice.tsx'
import { tellAddedToShelf } from './add-to-shelf-message.tsx'
import { ShelfForm, useShelfSave } from './shelf-form.tsx'
import { StatusChoice } from './status-choice.tsx'

/** Chooses a shelf and a status for a book; a new shelf can be made on the way. */
export function AddToShelfDialog({ book, open, onOpenChange }: { book: Book } & DialogState) {
  const formId = useId()
  const [isMaking, setIsMaking] = useState(false)
  const [chosen, setChosen] = useState('')
  const session = useSession()
  const [status, setStatus] = useState(() => defaultStatus(session))
  const { shelves, taken, only, isPending } = useShelvesFor(book)
  const save = useShelfSave()
  const add = useAddToShelf(book)
  // A list from before a write says nothing yet; a later fetch takes away nothing that is typed.
  const [isKnown, setIsKnown] = useState(!shelves.isFetching)
  if (!isKnown && !shelves.isFetching) setIsKnown(true)
  // A reader's first book: there is nothing to choose from yet.
  const isFirst = isKnown && shelves.data?.length === 0
  const shelf = chosen || only
  const isForm = isMaking || isFirst

  function choose(made: Bookshelf | null): void {
    setIsMaking(false)
    if (made) setChosen(made.id)
  }

  const put = useOneAtATime(async () => {
    try {
      const added = await add.mutateAsync({ shelf, status })
      onOpenChange(false)
      tellAddedToShelf(added)
    } catch (error) {
      toast.error(errorMessage(error))
    }
  })

  const cancel = (
    <DialogClose>
      <Button variant="quiet">Cancel</Button>
    </DialogClose>
  )
  return (
    <Dialog
      size="sm"
      title={isForm ? 'New Shelf' : 'Add to shelf'}
      description={isFirst ? 'Create a shelf to add books.' : <bdi>{book.title}</bdi>}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        isForm ? (
          <>
            {isFirst ? cancel : <Button onClick={() => setIsMaking(false)}>Back</Button>}
            <Button type="submit" form={formId} variant="primary" pending={save.isPending}>
              Create shelf
            </Button>
          </>
        ) : (
          <>
            {cancel}
            <Button
              variant="primary"
              disabled={!shelf}
              pending={add.isPending}
              onClick={() => void put()}
            >
              Add
            </Button>
          </>
        )
      }
    >
      {isForm ? (
        <ShelfForm formId={formId} save={save} onSaved={choose} />
      ) : (
        <div className="grid gap-5">
          <ShelfChoice
            shelves={isPending ? undefined : shelves.data}
            error={shelves.error}
            onRetry={() => void shelves.refetch()}
            taken={taken}
            value={shelf}
            onValueChange={setChosen}
            onNew={() => setIsMaking(true)}
          />
          <StatusChoice value={status} onValueChange={setStatus} />
        </div>
      )}
    </Dialog>
  )
}
