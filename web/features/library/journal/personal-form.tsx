import { useState } from 'react'
import { personalForm } from '#shared/reading-form.ts'
import { formats } from '#shared/reading.ts'
import type { PersonalFields, UserBook } from '#shared/user-book.ts'
import { fieldMessages, bookErrorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/library.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { useDigitsInput } from '#web/ui/digits-input.ts'
import { InlineForm } from '#web/ui/inline-form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FormButtons } from './form-buttons.tsx'
import { formErrors } from './form-errors.ts'
import { TagsField } from '../book-editor/tags-field.tsx'
import { useBookEdit } from '../book-editor/use-book-edit.ts'

type Fields = Required<Omit<PersonalFields, 'position'>>

/** Tags, review, note, format, minutes and privacy. What the server refuses stays typed. */
export default function PersonalForm(props: {
  book: UserBook
  onSaved: (book: UserBook) => void
  onClose: () => void
}) {
  const { book, onSaved, onClose } = props
  // As it was when the form was opened: what changes elsewhere meanwhile is not written over.
  const [start] = useState(() => fieldsOf(book))
  const [fields, setFields] = useState(start)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const edit = useBookEdit(book)
  const change = (part: Partial<Fields>) => setFields((now) => ({ ...now, ...part }))

  async function send(): Promise<void> {
    const changed = Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(start[name as keyof Fields]),
    )
    if (changed.length === 0) return onClose()
    const refused = formErrors(personalForm, fields)
    if (Object.keys(refused).length > 0) return setWrong(refused)
    try {
      onSaved(await edit.mutateAsync(Object.fromEntries(changed)))
      onClose()
    } catch (error) {
      const problems = fieldMessages(error)
      const isShown = Object.keys(problems).some((name) => Object.hasOwn(start, name))
      setWrong(isShown ? problems : { form: bookErrorMessage(error) })
    }
  }

  return (
    <InlineForm label={t('tagsNoteAndReview')} errors={wrong} onSubmit={send}>
      <TagsField value={fields.tags} error={wrong['tags']} onChange={(tags) => change({ tags })} />
      <TextAreaField
        label={t('privateNote')}
        hint={t('noteHint')}
        value={fields.notes}
        error={wrong['notes']}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
      <TextAreaField
        label={t('review')}
        hint={t('reviewHint')}
        value={fields.review}
        error={wrong['review']}
        onChange={(event) => change({ review: event.currentTarget.value })}
      />
      <Checkbox
        label={t('hasSpoilers')}
        hint={t('spoilersHint')}
        checked={fields.review_spoilers}
        onCheckedChange={(review_spoilers) => change({ review_spoilers })}
      />
      <FormatFields fields={fields} wrong={wrong} onChange={change} />
      <Checkbox
        label={t('hideFromOthers')}
        hint={t('hideFromOthersHint')}
        checked={fields.isPrivate}
        onCheckedChange={(isPrivate) => change({ isPrivate })}
      />
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {wrong['form'] ?? wrong['isPrivate'] ?? wrong['review_spoilers']}
      </p>
      <FormButtons submit={t('saveChanges')} pending={edit.isPending} onClose={onClose} />
    </InlineForm>
  )
}

function fieldsOf(book: UserBook): Fields {
  const { tags, notes = '', review, review_spoilers, format, isPrivate } = book
  const { duration, progress_minutes } = book
  return { tags, notes, review, review_spoilers, format, duration, progress_minutes, isPrivate }
}

const minutesText = (minutes: number) => (minutes > 0 ? String(minutes) : '')

/** How the reader counts: in pages or percent, and in minutes for an audiobook. */
function FormatFields(props: {
  fields: Fields
  wrong: Record<string, string>
  onChange: (part: Partial<Fields>) => void
}) {
  const { fields, wrong, onChange } = props
  const { duration, progress_minutes } = fields
  const length = useDigitsInput(
    minutesText(duration),
    (digits) => onChange({ duration: Number(digits) }),
    6,
  )
  const heard = useDigitsInput(
    minutesText(progress_minutes),
    (digits) => onChange({ progress_minutes: Number(digits) }),
    6,
  )
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
      <SelectField
        label={t('format')}
        placeholder={t('notSet')}
        value={fields.format}
        error={wrong['format']}
        options={formats.map((value) => ({ value, label: t(`format.${value}`) }))}
        onChange={(event) => onChange({ format: event.currentTarget.value as Fields['format'] })}
      />
      {fields.format === 'audio' ? (
        <>
          <TextField label={t('lengthInMinutes')} error={wrong['duration']} {...length} />
          <TextField label={t('minutesHeard')} error={wrong['progress_minutes']} {...heard} />
        </>
      ) : null}
    </div>
  )
}
