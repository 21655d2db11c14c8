import { useId } from 'react'
import type { Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { Prefill } from './add-book-prefill.tsx'
import { recordOf } from '../add-to-shelf/add-to-shelf-book.ts'
import { showAddedToast } from '../add-to-shelf/add-to-shelf-message.tsx'
import { ShelfSelect } from '../add-to-shelf/add-to-shelf-select.tsx'
import { BookDetailFields } from '../book-editor/book-detail-fields.tsx'
import { Pictures } from '../book-editor/book-fields.tsx'
import type { BookForm, BookInput } from '../book-editor/book-form.ts'
import { BookReadingFields } from '../book-editor/book-reading-fields.tsx'
import { KnownState } from '../add-to-shelf/add-to-shelf-state.tsx'
import { useAddBook } from './use-add-book.ts'
import { SubmitFooter } from '#web/ui/submit-footer.tsx'

/** Adds a book by hand: first what it is, then the shelf it goes to. */
export function AddBookDialog(
  props: DialogState & {
    /** Values to start with. */
    start?: Partial<BookInput>
    /** Chosen on the second step unless the reader takes another. */
    shelf?: string
    onAdded?: (added: UserBook) => void
  },
) {
  const { open, onOpenChange, start, shelf = '', onAdded } = props
  const scale = useRatingScale()
  const formId = useId()
  const adding = useAddBook({ book: start, shelf }, (added, asked) => {
    onOpenChange(false)
    showAddedToast(added, asked)
    onAdded?.(added)
  })
  const { form, values } = adding
  const [copy] = adding.choice.taken.values()
  return (
    <Dialog
      title={values ? t('chooseAShelf') : t('addBook')}
      description={values ? <bdi>{values.title}</bdi> : t('enterTheDetailsYourself')}
      open={open}
      onOpenChange={onOpenChange}
      footer={<Footer formId={formId} adding={adding} />}
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
            void form.handleSubmit(adding.next)(event)
          }}
        >
          <BookDetailFields form={form} />
          <BookReadingFields form={form} ratingHint={t('ratingHintOptional', { scale })} />
          <Pictures form={form} upload={adding.upload} onUpload={adding.setUpload} />
        </form>
      </div>
      {values ? (
        <div className="grid gap-4">
          <ShelfSelect {...adding.choice} />
          {copy ? <KnownState copy={copy} /> : null}
        </div>
      ) : null}
    </Dialog>
  )
}

function Footer({ formId, adding }: { formId: string; adding: ReturnType<typeof useAddBook> }) {
  const { values, back, isTaken, isPending, put } = adding
  return values ? (
    <>
      <Button onClick={back}>{t('back')}</Button>
      <Button variant="primary" disabled={isTaken} pending={isPending} onClick={put}>
        {t('add')}
      </Button>
    </>
  ) : (
    <SubmitFooter formId={formId}>{t('next')}</SubmitFooter>
  )
}

/** Fills the form from the catalogue and keeps the reader's position. */
function fill(form: BookForm, book: Book): void {
  const { title, authors, genres, images, isbn, page_count } = recordOf(book, {
    shelf: '',
    status: 'planning',
  })
  const typed = form.getValues()
  // Finished means all of it was read.
  const progress = typed.status === 'completed' && page_count > 0 ? page_count : typed.progress
  form.reset({ ...typed, title, authors, genres, images, isbn, page_count, progress })
  form.setFocus('title')
}
