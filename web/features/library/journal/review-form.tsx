import { useState } from 'react'
import { personalForm } from '#shared/reading-form.ts'
import type { UserBook } from '#shared/user-book.ts'
import { bookErrorMessage, fieldMessages } from '#web/api/errors.ts'
import { t } from '#web/i18n/library.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { InlineForm } from '#web/ui/inline-form.tsx'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { FormButtons } from './form-buttons.tsx'
import { formErrors } from './form-errors.ts'
import { useBookEdit } from '../book-editor/use-book-edit.ts'

/** A review, ready to type. What the server refuses stays typed. */
export default function ReviewForm(props: {
  book: UserBook
  onSaved: (book: UserBook) => void
  onClose: () => void
}) {
  const { book, onSaved, onClose } = props
  const [review, setReview] = useState(book.review)
  const [hasSpoilers, setSpoilers] = useState(book.review_spoilers)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const edit = useBookEdit(book)

  async function send(): Promise<void> {
    const fields = { review, review_spoilers: hasSpoilers }
    const refused = formErrors(personalForm, { ...book, ...fields })
    if (refused['review']) return setWrong(refused)
    try {
      onSaved(await edit.mutateAsync(fields))
      onClose()
    } catch (error) {
      const { review: problem = bookErrorMessage(error) } = fieldMessages(error)
      setWrong({ review: problem })
    }
  }

  return (
    <InlineForm label={t('review')} errors={wrong} onSubmit={send}>
      <TextAreaField
        label={t('review')}
        hint={t('reviewHint')}
        rows={6}
        value={review}
        error={wrong['review']}
        onChange={(event) => setReview(event.currentTarget.value)}
      />
      <Checkbox
        label={t('hasSpoilers')}
        hint={t('spoilersHint')}
        checked={hasSpoilers}
        onCheckedChange={setSpoilers}
      />
      <FormButtons submit={t('saveChanges')} pending={edit.isPending} onClose={onClose} />
    </InlineForm>
  )
}
