import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { bookImages, type UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { t } from '#web/i18n/library.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { BookDetailFields, LengthField } from './book-detail-fields.tsx'
import { detailNames, type BookForm } from './book-form.ts'
import { BookFactFields } from './book-fact-fields.tsx'
import { BookReadingFields } from './book-reading-fields.tsx'
import { CoverAddress } from './cover-address.tsx'
import { CoverField, type Upload } from './cover-field.tsx'
import type { BookFieldsState } from './use-book-fields.ts'

/** The editor's form. What the server refuses stays typed, with its sentence at the field. */
export function BookFields(props: { formId: string; book: UserBook; fields: BookFieldsState }) {
  const { formId, book, fields } = props
  const { first, form, send } = fields
  const { setFocus } = form
  const details = useRef<HTMLDetailsElement>(null)
  const unfold = () => {
    const isWrong = detailNames.some((name) => form.getFieldState(name).error)
    if (isWrong && details.current) details.current.open = true
  }
  const isInPercent = first.progress_percent > 0
  // The page is what changes most while a book is read.
  useEffect(() => {
    if (first.status === 'reading')
      setFocus(isInPercent ? 'progress_percent' : 'progress', { shouldSelect: true })
  }, [setFocus, first.status, isInPercent])
  // Opened again after a refusal, it shows what is wrong.
  const showWrong = useEffectEvent(unfold)
  useEffect(() => showWrong(), [])
  const scale = useRatingScale()

  return (
    <form
      id={formId}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        // The editor stands inside other forms in React's tree, if not in the document's.
        event.stopPropagation()
        void form.handleSubmit(send)(event).then(unfold)
      }}
    >
      {/* A length that is not known is asked for first: without it the page says little. */}
      {first.page_count === 0 ? <LengthField form={form} /> : null}
      <BookReadingFields form={form} ratingHint={t('ratingHint', { scale })} />
      <ShelfField
        book={book}
        value={fields.shelf}
        error={fields.shelfError}
        disabled={fields.isPending}
        onChange={(event) => fields.chooseShelf(event.currentTarget.value)}
      />
      <Disclosure ref={details} summary={t('details')} className="border-t border-b-0">
        <div className="grid gap-4 pt-1 text-ink">
          <BookDetailFields form={form} hideLength={first.page_count === 0} />
          <BookFactFields form={form} language={first.language} />
          {fields.description === undefined ? null : (
            <TextAreaField
              label={t('description')}
              error={form.formState.errors.description?.message}
              {...form.register('description', { value: fields.description })}
            />
          )}
          <Pictures
            form={form}
            stored={book.image ? bookImages(book)[0] : undefined}
            upload={fields.upload}
            onUpload={fields.setUpload}
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
}) {
  const { form, ...rest } = props
  const [title, authors = [], images = []] = useWatch({
    control: form.control,
    name: ['title', 'authors', 'images'],
  })
  return (
    <CoverField
      {...rest}
      title={title || t('untitled')}
      author={authors[0]}
      images={images}
      onImages={(next) => form.setValue('images', next, { shouldDirty: true })}
      entry={<CoverAddress form={form} />}
    />
  )
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
      label={t('shelf')}
      options={shelves.map(({ id, name }) => ({ value: id, label: name }))}
      {...field}
    />
  )
}
