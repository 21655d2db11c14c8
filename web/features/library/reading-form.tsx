import { Trash2 } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { datePartsOf, dayIn } from '#shared/partial-date.ts'
import { formats, outcomes, type Outcome, type Reading } from '#shared/reading.ts'
import { readingForm } from '#shared/reading-form.ts'
import type { UserBook } from '#shared/user-book.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import type { ReadingEdit } from '#web/api/book-journal.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { partialDateOf, PartialDateField } from '#web/ui/partial-date-field.tsx'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { formErrors } from './form-errors.ts'
import { useDeleteJournalEntry, useSaveJournalEntry } from './use-journal-entry.ts'

const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** One time through a book. What the server refuses stays typed, with its sentence. */
export default function ReadingForm(props: {
  book: UserBook
  /** Left out for a new one. */
  reading?: Reading
  onClose: () => void
}) {
  const { book, reading, onClose } = props
  const [started, setStarted] = useState(datePartsOf(reading?.started ?? ''))
  const [finished, setFinished] = useState(datePartsOf(reading?.finished ?? ''))
  const [outcome, setOutcome] = useState<Outcome>(reading?.outcome ?? 'finished')
  const [format, setFormat] = useState(reading?.format ?? book.format)
  const [length, setLength] = useState(lengthText(book, reading))
  const [rating, setRating] = useState(reading?.rating ?? 0)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const save = useSaveJournalEntry('readings', book, reading?.id)
  const isOpen = outcome === 'reading'
  const isAudio = format === 'audio'
  const ratingId = useId()

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    // It may stand in another form in React's tree.
    event.stopPropagation()
    const from = partialDateOf(started)
    const to = isOpen ? '' : partialDateOf(finished)
    if (from === null || to === null)
      return setWrong({
        ...(from === null && { started: t('noDate') }),
        ...(to === null && { finished: t('noDate') }),
      })
    const amount = Number(length) || 0
    const edit: ReadingEdit = {
      started: from,
      finished: to,
      outcome,
      format,
      rating,
      ...(isAudio ? { minutes: amount } : { pages: amount }),
    }
    const refused = formErrors(readingForm, edit)
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
      aria-label={reading ? t('changeAReading') : t('logAReading')}
      onSubmit={(event) => void send(event)}
      className="grid grid-cols-1 gap-3 rounded-md border border-line bg-surface p-4"
    >
      <SelectField
        label={t('outcome')}
        value={outcome}
        options={outcomes.map((value) => ({ value, label: t(`outcome.${value}`) }))}
        error={wrong['outcome']}
        onChange={(event) => setOutcome(event.currentTarget.value as Outcome)}
      />
      <PartialDateField
        label={t('started')}
        value={started}
        onChange={setStarted}
        hint={t('unsureHint')}
        error={wrong['started']}
      />
      {isOpen ? null : (
        <PartialDateField
          label={t('finished')}
          value={finished}
          onChange={setFinished}
          error={wrong['finished']}
        />
      )}
      {isOpen ? null : (
        <Button
          size="sm"
          className="min-h-11 justify-self-start"
          onClick={() => setFinished(datePartsOf(dayIn(zone(), new Date())))}
        >
          {t('finishedToday')}
        </Button>
      )}
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <SelectField
          label={t('format')}
          placeholder={t('unknown')}
          value={format}
          options={formats.map((value) => ({ value, label: t(`format.${value}`) }))}
          onChange={(event) => setFormat(event.currentTarget.value as Reading['format'])}
        />
        <TextField
          label={isAudio ? t('minutes') : t('lengthInPages')}
          inputMode="numeric"
          autoComplete="off"
          value={length}
          error={wrong['pages'] ?? wrong['minutes']}
          onChange={(event) => setLength(event.currentTarget.value.replaceAll(/\D/g, ''))}
        />
      </div>
      {isOpen ? null : (
        <div className="grid gap-1">
          <span id={ratingId} className="text-sm font-medium">
            {t('thoughtThen')}
          </span>
          <RatingInput label={t('thoughtThen')} value={rating} onChange={setRating} />
        </div>
      )}
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {wrong['form']}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {reading ? <DeleteReading id={reading.id} onClose={onClose} /> : null}
        <Button variant="quiet" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" variant="primary" pending={save.isPending}>
          {t('saveReading')}
        </Button>
      </div>
    </form>
  )
}

const shownAt = new Set(['started', 'finished', 'outcome', 'pages', 'minutes'])

function lengthText(book: UserBook, reading: Reading | undefined): string {
  const isAudio = (reading?.format ?? book.format) === 'audio'
  const known = isAudio
    ? (reading?.minutes ?? book.duration)
    : (reading?.pages ?? Math.round(book.page_count))
  return known > 0 ? String(known) : ''
}

function DeleteReading({ id, onClose }: { id: string; onClose: () => void }) {
  const remove = useDeleteJournalEntry('readings')
  return (
    <Button
      variant="danger"
      icon={<Trash2 />}
      className="me-auto"
      pending={remove.isPending}
      onClick={() => remove.mutate({ id, message: t('deletedTheReading') }, { onSuccess: onClose })}
    >
      {t('deleteReading')}
    </Button>
  )
}
