import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Form, useActionData, useSearchParams } from 'react-router'
import { datePartsOf } from '#shared/partial-date.ts'
import type { UserBook } from '#shared/user-book.ts'
import type { Refusal } from '#web/api/act.ts'
import { lastFinishedQuery } from '#web/api/book-journal.ts'
import { useApi } from '#web/api/context.ts'
import { t as books } from '#web/i18n/books.ts'
import { t as finish } from '#web/i18n/finish.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { usePagePath } from '#web/ui/page-path.ts'
import { PartialDateInputs, sentDate } from '#web/ui/partial-date-field.tsx'
import { RatingSelect } from '#web/ui/rating-select.tsx'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { UserBookCover } from '../book-list/user-book-cover.tsx'

/** What the finish sheet asks, as a form that is sent without scripts. */
export function FinishPage({ book }: { book: UserBook }) {
  const { data: reading } = useQuery(lastFinishedQuery(useApi(), book))
  const { wrong = {}, message, typed } = useActionData<Refusal | undefined>() ?? {}
  const [hasSpoilers, setSpoilers] = useState(
    typed ? typed['review_spoilers'] !== '' : book.review_spoilers,
  )
  const [search] = useSearchParams()
  const action = usePagePath()
  const undo = useId()
  return (
    <>
      <header className="mb-6 flex gap-5">
        <span className="w-24 shrink-0">
          <UserBookCover book={book} priority />
        </span>
        <h1 dir="auto" className="min-w-0 flex-1 text-2xl wrap-anywhere">
          {books('finishedNamed', { title: book.title })}
        </h1>
      </header>
      <Form method="post" action={action} className="grid gap-4">
        <RatingSelect
          label={books('rateNamed', { title: book.title })}
          value={typed ? Number(typed['rating']) : book.rating}
        />
        <FieldError message={wrong['rating']} />
        <PartialDateInputs
          label={t('finished')}
          hint={t('unsureHint')}
          error={wrong['finished']}
          defaultValue={typed ? sentDate(typed) : datePartsOf(reading?.finished ?? '')}
        />
        <TextAreaField
          label={finish('reviewLine')}
          name="review"
          defaultValue={typed?.['review'] ?? book.review}
          error={wrong['review']}
        />
        <Checkbox
          label={t('hasSpoilers')}
          hint={t('spoilersHint')}
          name="review_spoilers"
          checked={hasSpoilers}
          onCheckedChange={setSpoilers}
        />
        <FieldError message={message} />
        <div className="flex items-center justify-between gap-4">
          {search.has('status') ? (
            <Button type="submit" form={undo} name="undo" variant="quiet" className="-ms-4">
              {t('undo')}
            </Button>
          ) : (
            <span />
          )}
          <Button type="submit" variant="primary" size="lg">
            {t('done')}
          </Button>
        </div>
      </Form>
      <Form id={undo} method="post" action={action} />
    </>
  )
}
