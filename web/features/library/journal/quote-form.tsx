import { useState } from 'react'
import type { Quote } from '#shared/reading.ts'
import { quoteForm } from '#shared/reading-form.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { useDigitsInput } from '#web/ui/digits-input.ts'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { JournalForm } from './journal-form.tsx'

/** A sentence from a book, with its page. What the server refuses stays typed. */
export default function QuoteForm(props: {
  book: UserBook
  /** Absent for a new one. */
  quote?: Quote | undefined
  onClose: () => void
}) {
  const { book, quote, onClose } = props
  const [text, setText] = useState(quote?.text ?? '')
  const [note, setNote] = useState(quote?.note ?? '')
  const [page, setPage] = useState(quote?.page ? String(quote.page) : '')
  const pageInput = useDigitsInput(page, setPage)
  const [isShared, setIsShared] = useState(quote ? !quote.isPrivate : false)
  return (
    <JournalForm
      collection="quotes"
      book={book}
      id={quote?.id}
      label={quote ? t('changeAQuote') : t('addAQuote')}
      submit={t('saveQuote')}
      remove={{ label: t('deleteQuote'), done: t('deletedTheQuote') }}
      rules={quoteForm}
      fields={['text', 'note', 'page', 'percent']}
      read={() => ({ text, note, page: Number(page) || 0, isPrivate: !isShared })}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextAreaField
            label={t('quote')}
            value={text}
            error={errors['text']}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <TextField
            label={t('onPage')}
            className="max-w-32"
            error={errors['page'] ?? errors['percent']}
            {...pageInput}
          />
          <TextAreaField
            label={t('yourThought')}
            rows={2}
            value={note}
            error={errors['note']}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Checkbox
            label={t('othersCanSeeThisQuote')}
            hint={t('quoteSharedHint')}
            checked={isShared}
            onCheckedChange={setIsShared}
          />
        </>
      )}
    </JournalForm>
  )
}
