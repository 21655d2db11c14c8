import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { useDigitsInput } from '#web/ui/digits-input.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { rich, t } from '#web/i18n/welcome.ts'
import type { PickedBook, FirstShelf } from './first-shelf.ts'

const hidden = (text: ReactNode) => <span className="sr-only">{text}</span>

/** The books that were picked, the page of each, and the button that keeps them. */
export function PickedBooks({ start }: { start: FirstShelf }) {
  const { picks, isPrivate, setPrivate, isPending, problem, refusals, save } = start
  const sheet = useRef<HTMLFormElement>(null)
  // The first wrong page is the next thing to mend.
  useEffect(() => {
    if (refusals > 0) sheet.current?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus()
  }, [refusals])
  return (
    <form
      ref={sheet}
      noValidate
      aria-label={t('booksYouAreReading')}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <ul ref={keepFocusInRows} className="border-t border-line">
        {picks.map((pick) => (
          <PickedBook key={pick.book.id} pick={pick} start={start} />
        ))}
      </ul>
      {problem ? <ErrorState title={t('dataError')} message={problem} /> : null}
      <Checkbox
        label={t('onlyICanSeeThem')}
        hint={t('theyGoOnYourShelf', { shelf: t('readingNow') })}
        checked={isPrivate}
        onCheckedChange={setPrivate}
      />
      <Button type="submit" variant="primary" size="lg" pending={isPending}>
        {t('addBooks', { count: picks.length })}
      </Button>
    </form>
  )
}

function PickedBook({ pick, start }: { pick: PickedBook; start: FirstShelf }) {
  const { book, page, error } = pick
  const { id, title, authors, image_links, page_count } = book
  const field = useRef<HTMLInputElement>(null)
  // Picked just now: how far one is, is the next thing to say.
  useEffect(() => field.current?.focus(), [])
  return (
    <li className="flex items-start gap-4 border-b border-line py-4">
      <span className="w-14 shrink-0">
        <Cover title={title} author={authors[0]} src={image_links} alt="" />
      </span>
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="line-clamp-2 leading-5 font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
        <TextField
          ref={field}
          label={rich(page_count > 0 ? 'pageOfPages' : 'pageOfBook', {
            pages: page_count,
            title,
            hidden,
          })}
          {...useDigitsInput(page, (digits) => start.setPage(id, digits), 6)}
          placeholder={t('notSureLeaveItEmpty')}
          error={error}
        />
      </div>
      <IconButton label={t('removeBook', { title })} onClick={() => start.drop(id)}>
        <X aria-hidden />
      </IconButton>
    </li>
  )
}
