import { Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ZodType } from 'zod'
import type { BookRef, QuoteEdit, ReadingEdit } from '#web/api/book-journal.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineForm } from '#web/ui/inline-form.tsx'
import { FormButtons } from './form-buttons.tsx'
import { formErrors } from './form-errors.ts'
import { useDeleteJournalEntry, useSaveJournalEntry } from './use-journal-entry.ts'

/** Sentences by field. */
type Errors = Readonly<Record<string, string>>

/** The form of a reading or a quote. What its rules or the server refuse stays typed. */
export function JournalForm(props: {
  collection: 'readings' | 'quotes'
  book: BookRef
  /** The entry's id; undefined for a new entry. */
  id: string | undefined
  label: string
  submit: string
  remove: { label: string; done: string }
  rules: ZodType
  /** Names of the fields that show their sentence. */
  fields: readonly string[]
  /** @returns what is typed, or what is wrong with it */
  read: () => ReadingEdit | QuoteEdit | { wrong: Errors }
  onClose: () => void
  children: (errors: Errors) => ReactNode
}) {
  const { collection, book, id, label, submit, remove, rules, fields, read, onClose } = props
  const [errors, setErrors] = useState<Errors>({})
  const saving = useSaveJournalEntry(collection, book, id)
  const removing = useDeleteJournalEntry(collection)

  async function save(): Promise<void> {
    const edit = read()
    if ('wrong' in edit) return setErrors(edit.wrong)
    const refused = formErrors(rules, edit)
    if (Object.keys(refused).length > 0) return setErrors(refused)
    try {
      await saving.mutateAsync(edit)
      onClose()
    } catch (error) {
      const messages = fieldMessages(error)
      const isShown = fields.some((name) => messages[name] !== undefined)
      setErrors(isShown ? messages : { form: errorMessage(error) })
    }
  }

  // The form may be gone by then, as the entry's list hears of it, too.
  async function removeEntry(entry: string): Promise<void> {
    try {
      await removing.mutateAsync({ id: entry, message: remove.done })
      onClose()
    } catch {
      // A message has said so.
    }
  }

  return (
    <InlineForm label={label} errors={errors} onSubmit={save}>
      {props.children(errors)}
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {errors['form']}
      </p>
      <FormButtons submit={submit} pending={saving.isPending} onClose={onClose}>
        {id ? (
          <Button
            variant="danger"
            icon={<Trash2 />}
            className="me-auto"
            pending={removing.isPending}
            onClick={() => void removeEntry(id)}
          >
            {remove.label}
          </Button>
        ) : null}
      </FormButtons>
    </InlineForm>
  )
}
