import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { toIsbn13 } from '#shared/isbn.ts'
import type { Status, UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { addBook, copiesQuery, refreshLibrary, shelfNamesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { ruleMessage } from '#web/i18n/rules.ts'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { toast } from '#web/ui/toast.tsx'
import { defaultStatus, onlyShelf } from '../add-to-shelf/add-to-shelf-book.ts'
import {
  showRefusal,
  useBookForm,
  type BookInput,
  type BookValues,
} from '../book-editor/book-form.ts'
import type { Upload } from '../book-editor/cover-field.tsx'

/**
 * A book that is being added by hand, in two steps: what it is, and the shelf it goes to. What the
 * server refuses is told on the step it belongs to.
 *
 * @param start what is known already, and the shelf that is chosen to begin with
 * @param onAdded receives the record and the status it was added with
 */
export function useAddBook(
  start: { book: Partial<BookInput> | undefined; shelf: string },
  onAdded: (added: UserBook, asked: Status) => void,
) {
  const session = useSession()
  const form = useBookForm({ ...empty, status: defaultStatus(session), ...start.book })
  const [upload, setUpload] = useState<Upload>()
  /** The first step's outcome; while it is there the second is shown. */
  const [values, setValues] = useState<BookValues>()
  const [chosen, setChosen] = useState(start.shelf || undefined)
  const [shelfError, setShelfError] = useState<string>()
  const shelfField = useRef<HTMLSelectElement>(null)
  const taken = useTaken(values?.isbn ?? '')
  const shelves = useQuery(shelfNamesQuery(useApi(), session?.user.id ?? ''))
  const shelf = chosen ?? onlyShelf(shelves.data, taken)
  const add = useAdd()

  function refuse(error: unknown): void {
    const { others, isShown } = showRefusal(form, error)
    const twin = form.getFieldState('isbn').error?.message
    const atShelf = others['shelf'] ?? twin
    if (twin) form.clearErrors('isbn')
    setShelfError(atShelf)
    if (isShown && !twin) setValues(undefined)
    if (!isShown && !atShelf) toast.error(errorMessage(error))
  }

  const put = useSingleFlight(async () => {
    if (!values) return
    if (!shelf) {
      setShelfError(ruleMessage({ key: 'shelfRequired' }))
      shelfField.current?.focus()
      return
    }
    try {
      const added = await add.mutateAsync({ ...values, shelf, ...(upload && { image: upload }) })
      onAdded(added, values.status)
    } catch (error) {
      refuse(error)
    }
  })

  return {
    form,
    upload,
    setUpload,
    /** The book's details, once they are entered. */
    values,
    next: setValues,
    back: () => setValues(undefined),
    /** For the field of the second step. */
    choice: {
      ref: shelfField,
      taken,
      value: shelf,
      error: shelfError,
      onValueChange: (next: string) => {
        setChosen(next)
        setShelfError(undefined)
      },
    },
    isTaken: taken.has(shelf),
    isPending: add.isPending,
    put: () => void put(),
  }
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
