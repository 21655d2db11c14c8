import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { Book } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { userBookFields } from '#shared/user-book-form.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { addBook, copiesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog-sheet.tsx'
import type { DialogState } from '#web/ui/late-dialog.ts'
import { toast } from '#web/ui/toast.tsx'
import { Prefill } from './add-book-prefill.tsx'
import { defaultStatus, recordOf, refreshLibrary } from './add-to-shelf-book.ts'
import { tellAddedToShelf } from './add-to-shelf-message.tsx'
import { ShelfSelect } from './add-to-shelf-select.tsx'
import { BookDetailFields } from './book-detail-fields.tsx'
import { Pictures } from './book-fields.tsx'
import {
  showRefusal,
  useBookForm,
  type BookForm,
  type BookInput,
  type BookValues,
} from './book-form.ts'
import { BookReadingFields } from './book-reading-fields.tsx'
import type { Upload } from './cover-field.tsx'

/** Adds a book by hand: first what it is, then the shelf it goes to. */
export function AddBookDialog(
  props: DialogState & {
    /** What is known already. */
    start?: Partial<BookInput>
    /** Chosen on the second step unless the reader takes another. */
    shelf?: string
    onAdded?: (added: UserBook) => void
  },
) {
  const { open, onOpenChange, start, shelf: first = '', onAdded } = props
  const formId = useId()
  const session = useSession()
  const form = useBookForm({ ...empty, status: defaultStatus(session), ...start })
  const [upload, setUpload] = useState<Upload>()
  /** The first step's outcome; while it is there the second is shown. */
  const [values, setValues] = useState<BookValues>()
  const [shelf, setShelf] = useState(first)
  const [shelfError, setShelfError] = useState<string>()
  const shelfField = useRef<HTMLSelectElement>(null)
  const taken = useTaken(values?.isbn ?? '')
  const add = useAdd()
  const isAdding = useRef(false)

  function refuse(error: unknown): void {
    const { others, isShown } = showRefusal(form, error)
    const twin = form.getFieldState('isbn').error?.message
    const atShelf = others['shelf'] ?? twin
    if (twin) form.clearErrors('isbn')
    setShelfError(atShelf)
    if (isShown && !twin) setValues(undefined)
    if (!isShown && !atShelf) toast.error(errorMessage(error))
  }

  async function put(): Promise<void> {
    // The second half of a double click comes before the button knows that it is pending.
    if (!values || isAdding.current) return
    const missing = userBookFields.shape.shelf.safeParse(shelf).error
    if (missing) {
      setShelfError(missing.issues[0]?.message)
      shelfField.current?.focus()
      return
    }
    isAdding.current = true
    try {
      const added = await add.mutateAsync({
        ...values,
        shelf,
        ...(upload ? { image: upload } : {}),
      })
      onOpenChange(false)
      tellAddedToShelf(added)
      onAdded?.(added)
    } catch (error) {
      refuse(error)
    } finally {
      isAdding.current = false
    }
  }

  return (
    <Dialog
      title={values ? 'Choose a shelf' : 'Add Book'}
      description={values ? <bdi>{values.title}</bdi> : 'A book in your hand, in your own words.'}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        values ? (
          <>
            <Button onClick={() => setValues(undefined)}>Back</Button>
            <Button
              variant="primary"
              disabled={taken.has(shelf)}
              pending={add.isPending}
              onClick={() => void put()}
            >
              Add
            </Button>
          </>
        ) : (
          <>
            <DialogClose>
              <Button variant="quiet">Cancel</Button>
            </DialogClose>
            <Button type="submit" form={formId} variant="primary">
              Next
            </Button>
          </>
        )
      }
    >
      {/* Kept while the shelf is chosen: the way back loses nothing. */}
      <div hidden={values !== undefined}>
        <Prefill onPick={(book) => fill(form, book)} />
        <form
          id={formId}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.stopPropagation()
            void form.handleSubmit(setValues)(event)
          }}
        >
          <BookDetailFields form={form} />
          <BookReadingFields form={form} ratingHint="1 to 10, or none." />
          <Pictures form={form} upload={upload} onUpload={setUpload} />
        </form>
      </div>
      {values ? (
        <ShelfSelect
          ref={shelfField}
          taken={taken}
          value={shelf}
          error={shelfError}
          onValueChange={(next) => {
            setShelf(next)
            setShelfError(undefined)
          }}
        />
      ) : null}
    </Dialog>
  )
}

const empty = {
  title: '',
  authors: [],
  genres: [],
  images: [],
  isbn: '',
  page_count: 0,
  progress: 0,
  rating: 0,
} satisfies Partial<BookInput>

/** What the catalogue knows takes the place of what was typed; where the reader is stays. */
function fill(form: BookForm, book: Book): void {
  const { title, authors, genres, images, isbn, page_count } = recordOf(book, {
    shelf: '',
    status: 'planning',
  })
  form.reset({ ...form.getValues(), title, authors, genres, images, isbn, page_count })
  form.setFocus('title')
}

/** The reader's copies of the book by shelf; none without an ISBN to know it by. */
function useTaken(isbn: string): Map<string, UserBook> {
  const session = useSession()
  const isbn13 = toIsbn13(isbn) ?? ''
  const { data } = useQuery({
    ...copiesQuery(useApi(), session?.user.id ?? '', isbn13),
    enabled: isbn13 !== '',
  })
  return new Map(data?.map((copy) => [copy.shelf, copy]))
}

function useAdd() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (book: Parameters<typeof addBook>[1]) => addBook(api, book),
    onSuccess: () => refreshLibrary(queries),
  })
}
