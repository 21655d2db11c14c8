import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { bookImages, type UserBook, type UserBookForm } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, isNotFound } from '#web/api/errors.ts'
import { shelfNamesQuery, type BookEdit } from '#web/api/library.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { toast } from '#web/ui/toast.tsx'
import { BookDetailFields, LengthField } from './book-detail-fields.tsx'
import {
  detailNames,
  showRefusal,
  useBookForm,
  type BookForm,
  type BookInput,
  type BookValues,
} from './book-form.ts'
import { BookReadingFields } from './book-reading-fields.tsx'
import { CoverAddress } from './cover-address.tsx'
import { CoverField, type Upload } from './cover-field.tsx'
import type { useBookEdit } from './use-book-edit.ts'

interface Save {
  edit: ReturnType<typeof useBookEdit>
  /** Whether the book was removed since the form was opened. */
  isRemoved: boolean
  onSaved: () => void
}

/**
 * The editor's form. What the server refuses stays typed, with its sentence at the field.
 *
 * @param props.save left out for somebody else's book, whose form can only be read
 */
export function BookFields(props: { formId: string; book: UserBook; save?: Save | undefined }) {
  const { formId, book, save } = props
  const [first] = useState(book)
  // As it was when the form was opened: what changes elsewhere meanwhile is not this form's change.
  const [start, setStart] = useState(book)
  const form = useBookForm(valuesOf(first))
  const { setFocus } = form
  const [shelf, setShelf] = useState(start.shelf)
  const [shelfError, setShelfError] = useState<string>()
  const [upload, setUpload] = useState<Upload>()
  const details = useRef<HTMLDetailsElement>(null)
  const isReadOnly = save === undefined
  const isInPercent = first.progress_percent > 0
  // The page is what changes most while a book is read.
  useEffect(() => {
    if (first.status === 'reading' && !isReadOnly)
      setFocus(isInPercent ? 'progress_percent' : 'progress', { shouldSelect: true })
  }, [setFocus, first.status, isReadOnly, isInPercent])

  const scale = useRatingScale()

  async function send(values: BookValues): Promise<void> {
    if (!save || save.edit.isPending) return
    const { edit, isRemoved, onSaved } = save
    const change = changeOf(start, { ...values, shelf }, upload)
    if (Object.keys(change).length === 0 && !isRemoved) return onSaved()
    const typed = JSON.stringify(form.getValues())
    try {
      await edit.mutateAsync({ ...change, isRemoved })
      if (typed === JSON.stringify(form.getValues())) return onSaved()
      // Who typed on meanwhile saves the rest, too.
      const { progress_percent = 0 } = values
      setStart({ ...start, ...values, progress_percent, shelf })
      setUpload(undefined)
    } catch (error) {
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
    unfold()
    if (!isShown && !atShelf && !isNotFound(error)) toast.error(errorMessage(error))
  }

  function unfold(): void {
    const isWrong = detailNames.some((name) => form.getFieldState(name).error)
    if (isWrong && details.current) details.current.open = true
  }

  return (
    <form
      id={formId}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        // The editor stands inside other forms in React's tree, if not in the document's.
        event.stopPropagation()
        void form.handleSubmit(send, unfold)(event)
      }}
    >
      {/* A length that is not known is asked for first: without it the page says little. */}
      {first.page_count === 0 ? <LengthField form={form} readOnly={isReadOnly} /> : null}
      <BookReadingFields
        form={form}
        ratingHint={`0 to ${scale}, in steps of 0.5.`}
        readOnly={isReadOnly}
      />
      <ShelfField
        book={book}
        value={shelf}
        error={shelfError}
        disabled={isReadOnly || save.edit.isPending}
        onChange={(event) => {
          setShelf(event.currentTarget.value)
          setShelfError(undefined)
        }}
      />
      <Disclosure ref={details} summary="Details" className="border-t border-b-0">
        <div className="grid gap-4 pt-1 text-ink">
          <BookDetailFields form={form} hideLength={first.page_count === 0} readOnly={isReadOnly} />
          <Pictures
            form={form}
            stored={book.image ? bookImages(book)[0] : undefined}
            upload={upload}
            onUpload={setUpload}
            readOnly={isReadOnly}
          />
        </div>
      </Disclosure>
    </form>
  )
}

/** The cover's field, with the title and author as they are typed. */
export function Pictures(props: {
  form: BookForm
  stored?: string | undefined
  upload: Upload
  onUpload: (upload: Upload) => void
  readOnly?: boolean
}) {
  const { form, ...rest } = props
  const [title, authors = [], images = []] = useWatch({
    control: form.control,
    name: ['title', 'authors', 'images'],
  })
  return (
    <CoverField
      {...rest}
      title={title || 'Untitled'}
      author={authors[0]}
      images={images}
      onImages={(next) => form.setValue('images', next, { shouldDirty: true })}
      entry={<CoverAddress form={form} />}
    />
  )
}

function valuesOf(book: UserBook): BookInput {
  const { title, authors, genres, images, isbn, page_count, rating, status } = book
  const { progress, progress_percent } = book
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
  }
}

/** Only what was changed in the form: what was changed elsewhere meanwhile is not written over. */
function changeOf(book: UserBook, values: UserBookForm, upload: Upload): BookEdit {
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(book[name as keyof UserBookForm]),
  )
  return { ...Object.fromEntries(changed), ...(upload === undefined ? {} : { image: upload }) }
}

function ShelfField(
  props: Omit<React.ComponentProps<typeof SelectField>, 'label' | 'options'> & { book: UserBook },
) {
  const { book, ...field } = props
  const { data } = useQuery({
    ...shelfNamesQuery(useApi(), book.user),
    enabled: field.disabled !== true,
  })
  const own = { id: book.shelf, name: book.expand?.shelf?.name ?? '' }
  // The list may be on its way, or from before this shelf was made.
  const shelves = data?.some(({ id }) => id === own.id) ? data : [own, ...(data ?? [])]
  return (
    <SelectField
      label="Shelf"
      options={shelves.map(({ id, name }) => ({ value: id, label: name }))}
      {...field}
    />
  )
}
