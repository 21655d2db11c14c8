import { useId, useState } from 'react'
import { datePartsOf } from '#shared/partial-date.ts'
import { formats, outcomes, type Outcome, type Reading } from '#shared/reading.ts'
import { readingForm } from '#shared/reading-form.ts'
import type { UserBook } from '#shared/user-book.ts'
import type { ReadingEdit } from '#web/api/book-journal.ts'
import { useToday } from '#web/api/today.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { useDigitsInput } from '#web/ui/digits-input.ts'
import { partialDateOf, PartialDateField } from '#web/ui/partial-date-field.tsx'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { JournalForm } from './journal-form.tsx'

/** One time through a book. What the server refuses stays typed, with its sentence. */
export default function ReadingForm(props: {
  book: UserBook
  /** Absent for a new one. */
  reading?: Reading | undefined
  onClose: () => void
}) {
  const { book, reading, onClose } = props
  const [started, setStarted] = useState(datePartsOf(reading?.started ?? ''))
  const [finished, setFinished] = useState(datePartsOf(reading?.finished ?? ''))
  const [outcome, setOutcome] = useState<Outcome>(reading?.outcome ?? 'finished')
  const [format, setFormat] = useState(reading?.format ?? book.format)
  const [length, setLength] = useState(lengthText(book, reading))
  const lengthInput = useDigitsInput(length, setLength)
  const [rating, setRating] = useState(reading?.rating ?? 0)
  const [isUncounted, setUncounted] = useState(reading?.uncounted ?? false)
  const isOpen = outcome === 'reading'
  const isAudio = format === 'audio'
  const ratingId = useId()
  const today = useToday()

  function read(): ReadingEdit | { wrong: Record<string, string> } {
    const from = partialDateOf(started)
    const to = isOpen ? '' : partialDateOf(finished)
    if (from === null || to === null)
      return {
        wrong: {
          ...(from === null && { started: t('noDate') }),
          ...(to === null && { finished: t('noDate') }),
        },
      }
    const amount = Number(length) || 0
    return {
      started: from,
      finished: to,
      outcome,
      format,
      rating,
      uncounted: isUncounted,
      ...(isAudio ? { minutes: amount } : { pages: amount }),
    }
  }

  return (
    <JournalForm
      collection="readings"
      book={book}
      id={reading?.id}
      label={reading ? t('changeAReading') : t('logAReading')}
      submit={t('saveReading')}
      remove={{ label: t('deleteReading'), done: t('deletedTheReading') }}
      rules={readingForm}
      fields={['started', 'finished', 'outcome', 'pages', 'minutes']}
      read={read}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <SelectField
            label={t('outcome')}
            value={outcome}
            options={outcomes.map((value) => ({ value, label: t(`outcome.${value}`) }))}
            error={errors['outcome']}
            onChange={(event) => setOutcome(event.currentTarget.value as Outcome)}
          />
          <PartialDateField
            label={t('started')}
            value={started}
            onChange={setStarted}
            hint={t('unsureHint')}
            error={errors['started']}
          />
          {isOpen ? null : (
            <PartialDateField
              label={t('finished')}
              value={finished}
              onChange={setFinished}
              error={errors['finished']}
            />
          )}
          {isOpen ? null : (
            <Button
              size="sm"
              className="min-h-11 justify-self-start"
              onClick={() => setFinished(datePartsOf(today()))}
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
              error={errors['pages'] ?? errors['minutes']}
              {...lengthInput}
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
          <Checkbox label={t('leaveOut')} checked={isUncounted} onCheckedChange={setUncounted} />
        </>
      )}
    </JournalForm>
  )
}

function lengthText(book: UserBook, reading: Reading | undefined): string {
  const isAudio = (reading?.format ?? book.format) === 'audio'
  const known = isAudio
    ? (reading?.minutes ?? book.duration)
    : (reading?.pages ?? Math.round(book.page_count))
  return known > 0 ? String(known) : ''
}
