import { useEffect, useRef, useState } from 'react'
import type { UserBook, UserBookForm } from '#shared/user-book.ts'
import { errorMessage, isNotFound } from '#web/api/errors.ts'
import type { BookEdit } from '#web/api/library.ts'
import { toast } from '#web/ui/toast.tsx'
import { showRefusal, useBookForm, type BookInput, type BookValues } from './book-form.ts'
import type { Upload } from './cover-field.tsx'
import { isProgressEdit, type useBookEdit } from './use-book-edit.ts'
import { useDescription } from './use-description.ts'

interface Save {
  edit: ReturnType<typeof useBookEdit>
  /** Whether the book was removed since the form was opened. */
  isRemoved: boolean
  close: () => void
  /** Shows the form again, with what was typed. */
  reopen: () => void
}

export type BookFieldsState = ReturnType<typeof useBookFields>

/**
 * What stands in an editor's form; it outlives the form's time on the screen. A change of page,
 * status or rating, which is shown at once and can be taken back, closes the form before it is
 * saved; a refusal opens it again.
 */
export function useBookFields(book: UserBook, save: Save) {
  const [first] = useState(book)
  // The values when the form opened. Changes made elsewhere since then are not this form's.
  const [start, setStart] = useState(book)
  const form = useBookForm(valuesOf(first))
  const [shelf, setShelf] = useState(start.shelf)
  const [shelfError, setShelfError] = useState<string>()
  const description = useDescription(first)
  const [upload, setUpload] = useState<Upload>()
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])

  async function send(values: BookValues): Promise<void> {
    const { edit, isRemoved, close, reopen } = save
    if (edit.isPending) return
    const before = start === first ? { ...start, description: description ?? '' } : start
    const change = changeOf(before, { ...values, shelf }, upload)
    if (Object.keys(change).length === 0 && !isRemoved) return close()
    const isQuick = !isRemoved && isProgressEdit(change)
    const typed = JSON.stringify(form.getValues())
    try {
      if (isQuick) close()
      await edit.mutateAsync({ ...change, isRemoved })
      if (isQuick) return
      if (typed === JSON.stringify(form.getValues())) return close()
      // Text was typed while saving: the form stays open, based on the saved values.
      const { progress_percent = 0, description: typedText = before.description } = values
      setStart({ ...before, ...values, progress_percent, shelf, description: typedText })
      setUpload(undefined)
    } catch (error) {
      // Another book's form is there by now.
      if (!isHere.current) return void toast.error(`${book.title}: ${errorMessage(error)}`)
      if (isQuick) reopen()
      refuse(error)
    }
  }

  function refuse(error: unknown): void {
    const { others, isShown } = showRefusal(form, error)
    // The shelf it should move to has the book already: that is the shelf's to say.
    const twin = shelf === start.shelf ? undefined : form.getFieldState('isbn').error?.message
    if (twin) form.clearErrors('isbn')
    const atShelf = others['shelf'] ?? twin
    setShelfError(atShelf)
    if (!isShown && !atShelf && !isNotFound(error)) toast.error(errorMessage(error))
  }

  return {
    first,
    form,
    shelf,
    shelfError,
    description,
    upload,
    setUpload,
    send,
    isPending: save.edit.isPending,
    chooseShelf: (next: string) => {
      setShelf(next)
      setShelfError(undefined)
    },
  }
}

function valuesOf(book: UserBook): BookInput {
  const { title, authors, genres, images, isbn, page_count, rating, status } = book
  const { progress, progress_percent, language, published, series, series_position } = book
  return {
    title,
    authors,
    genres,
    images,
    isbn,
    // The API takes halves, the form counts whole pages.
    page_count: Math.round(page_count),
    progress: Math.round(progress),
    progress_percent,
    rating,
    status,
    language,
    published,
    series,
    series_position,
  }
}

/** Only what was changed in the form: what was changed elsewhere meanwhile is not written over. */
function changeOf(book: UserBook, values: UserBookForm, upload: Upload): BookEdit {
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(book[name as keyof UserBookForm]),
  )
  return { ...Object.fromEntries(changed), ...(upload === undefined ? {} : { image: upload }) }
}
