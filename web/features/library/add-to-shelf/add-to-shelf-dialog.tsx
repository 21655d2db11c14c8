import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog-sheet.tsx'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  defaultStatus,
  useAddToShelf,
  useShelvesFor,
  type ShelvableBook,
} from './add-to-shelf-book.ts'
import { ShelfChoice } from './add-to-shelf-choice.tsx'
import { findOrCreateShelf, firstShelf } from './add-to-shelf-first.ts'
import { showAddedToast } from './add-to-shelf-message.tsx'
import { KnownState } from './add-to-shelf-state.tsx'
import { ShelfForm, useShelfSave } from '../shelves/shelf-form.tsx'
import { StatusChoice } from '../book-editor/status-choice.tsx'

/** Chooses a shelf and a status for a book; a new shelf can be made on the way. */
export function AddToShelfDialog({
  book,
  open,
  onOpenChange,
}: { book: ShelvableBook } & DialogState) {
  const formId = useId()
  const [isMaking, setIsMaking] = useState(false)
  const [chosen, setChosen] = useState('')
  const api = useApi()
  const queries = useQueryClient()
  const session = useSession()
  const [status, setStatus] = useState(() => defaultStatus(session))
  const { shelves, taken, only, isPending } = useShelvesFor(book)
  const save = useShelfSave()
  const add = useAddToShelf(book)
  // A list from before a write says nothing yet; a later fetch takes away nothing that is typed.
  const [isKnown, setIsKnown] = useState(!shelves.isFetching)
  if (!isKnown && !shelves.isFetching) setIsKnown(true)
  // A reader's first book asks for no shelf: it is put on one that is made for it.
  const isFirst = isKnown && !chosen && shelves.data?.length === 0
  const shelf = chosen || only
  const [copy] = taken.values()

  function choose(made: Bookshelf | null): void {
    setIsMaking(false)
    if (made) setChosen(made.id)
  }

  const put = useSingleFlight(async () => {
    try {
      const user = session?.user.id ?? ''
      const made = isFirst ? await findOrCreateShelf(api, queries, user, firstShelf()) : ''
      const added = await add.mutateAsync({ shelf: shelf || made, status })
      onOpenChange(false)
      showAddedToast(added, status)
    } catch (error) {
      toast.error(errorMessage(error))
    }
  })

  const cancel = (
    <DialogClose>
      <Button variant="quiet">{t('cancel')}</Button>
    </DialogClose>
  )
  return (
    <Dialog
      size="sm"
      title={isMaking ? t('newShelf') : t('addToShelf')}
      description={<bdi>{book.title}</bdi>}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        isMaking ? (
          <>
            <Button onClick={() => setIsMaking(false)}>{t('back')}</Button>
            <Button type="submit" form={formId} variant="primary" pending={save.isPending}>
              {t('createShelf')}
            </Button>
          </>
        ) : (
          <>
            {cancel}
            <Button
              variant="primary"
              disabled={!shelf && !isFirst}
              pending={add.isPending}
              onClick={() => void put()}
            >
              {t('add')}
            </Button>
          </>
        )
      }
    >
      {isMaking ? (
        <ShelfForm formId={formId} save={save} onSaved={choose} />
      ) : (
        <div className="grid gap-5">
          {isFirst ? (
            <p className="text-sm text-ink-soft">
              {t('firstShelfNote', { shelf: firstShelf().name })}
            </p>
          ) : null}
          <ShelfChoice
            shelves={isPending ? undefined : shelves.data}
            error={shelves.error}
            onRetry={() => void shelves.refetch()}
            taken={taken}
            value={shelf}
            onValueChange={setChosen}
            onNew={() => setIsMaking(true)}
          />
          {copy ? (
            <KnownState copy={copy} />
          ) : (
            <StatusChoice value={status} onValueChange={setStatus} />
          )}
        </div>
      )}
    </Dialog>
  )
}
