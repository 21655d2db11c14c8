import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Quote } from '#shared/reading.ts'
import { quoteForm } from '#shared/reading-form.ts'
import type { UserBook } from '#shared/user-book.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { formErrors } from './form-errors.ts'
import { useDeleteJournalEntry, useSaveJournalEntry } from './use-journal-entry.ts'

const shownAt = new Set(['text', 'note', 'page', 'percent'])
const digits = (text: string) => text.replaceAll(/\D/g, '')

/** A sentence from a book, with its page. What the server refuses stays typed. */
export default function QuoteForm(props: {
  book: UserBook
  /** Left out for a new one. */
  quote?: Quote
  onClose: () => void
}) {
  const { book, quote, onClose } = props
  const [text, setText] = useState(quote?.text ?? '')
  const [note, setNote] = useState(quote?.note ?? '')
  const [page, setPage] = useState(quote?.page ? String(quote.page) : '')
  const [isShared, setIsShared] = useState(quote ? !quote.isPrivate : false)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const save = useSaveJournalEntry('quotes', book, quote?.id)
  const remove = useDeleteJournalEntry('quotes')

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    // It may stand in another form in React's tree.
    event.stopPropagation()
    const edit = { text, note, page: Number(page) || 0, isPrivate: !isShared }
    const refused = formErrors(quoteForm, edit)
    if (Object.keys(refused).length > 0) return setWrong(refused)
    try {
      await save.mutateAsync(edit)
      onClose()
    } catch (error) {
      const fields = fieldMessages(error)
      const isShown = Object.keys(fields).some((name) => shownAt.has(name))
      setWrong(isShown ? fields : { form: errorMessage(error) })
    }
  }

  return (
    <form
      noValidate
      aria-label={quote ? t('changeAQuote') : t('addAQuote')}
      onSubmit={(event) => void send(event)}
      className="grid grid-cols-1 gap-2 rounded-md border border-line bg-surface p-4"
    >
      <TextAreaField
        label={t('quote')}
        value={text}
        error={wrong['text']}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextField
        label={t('onPage')}
        inputMode="numeric"
        autoComplete="off"
        className="max-w-32"
        value={page}
        error={wrong['page'] ?? wrong['percent']}
        onChange={(event) => setPage(digits(event.currentTarget.value))}
      />
      <TextAreaField
        label={t('yourThought')}
        rows={2}
        value={note}
        error={wrong['note']}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Checkbox
        label={t('othersCanSeeThisQuote')}
        hint={t('quoteSharedHint')}
        checked={isShared}
        onCheckedChange={setIsShared}
      />
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {wrong['form']}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {quote ? (
          <Button
            variant="danger"
            icon={<Trash2 />}
            className="me-auto"
            pending={remove.isPending}
            onClick={() =>
              remove.mutate({ id: quote.id, message: t('deletedTheQuote') }, { onSuccess: onClose })
            }
          >
            {t('deleteQuote')}
          </Button>
        ) : null}
        <Button variant="quiet" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" variant="primary" pending={save.isPending}>
          {t('saveQuote')}
        </Button>
      </div>
    </form>
  )
}
