import { Lock, Pencil } from 'lucide-react'
import { lazy } from '#web/ui/lazy.ts'
import { cutText } from '#shared/text.ts'
import type { Quote } from '#shared/reading.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { quotesQuery } from '#web/api/book-journal.ts'
import { formatPercent } from '#web/i18n/format.ts'
import { t } from '#web/i18n/readings.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { JournalList } from './journal-list.tsx'

const QuoteForm = lazy(() => import('./quote-form.tsx'))

/** A book's quotes, in page order. */
export function BookQuotes({ book, isOwner }: { book: UserBook; isOwner: boolean }) {
  return (
    <JournalList
      source={quotesQuery(useApi(), book)}
      isOwner={isOwner}
      title={t('quotes')}
      nameOf={({ text }) => cutText(text, 40)}
      form={(quote, onClose) => <QuoteForm book={book} quote={quote} onClose={onClose} />}
    >
      {(quote, name, onEdit) => <Text quote={quote} name={name} onEdit={onEdit} />}
    </JournalList>
  )
}

function Text(props: { quote: Quote; name: string; onEdit: (() => void) | undefined }) {
  const { quote, name, onEdit } = props
  const { text, note, page, percent, isPrivate } = quote
  const place = page > 0 ? t('atPage', { page }) : percent > 0 ? formatPercent(percent) : ''
  return (
    <div className="flex items-start justify-between gap-3">
      <figure className="grid min-w-0 gap-1">
        <blockquote
          dir="auto"
          className="font-serif text-base leading-7 whitespace-pre-line wrap-anywhere"
        >
          {text}
        </blockquote>
        <figcaption className="grid gap-1 text-sm text-ink-soft empty:hidden">
          <span className="flex items-center gap-2 empty:hidden">
            {place}
            {isPrivate ? (
              <span className="flex items-center gap-1">
                <Lock aria-hidden className="size-3.5" />
                {t('onlyYou')}
              </span>
            ) : null}
          </span>
          {note ? (
            <span dir="auto" className="whitespace-pre-line wrap-anywhere">
              {note}
            </span>
          ) : null}
        </figcaption>
      </figure>
      {onEdit ? (
        <IconButton
          label={t('changeQuote', { text: name })}
          className="size-11 shrink-0"
          onClick={onEdit}
        >
          <Pencil aria-hidden />
        </IconButton>
      ) : null}
    </div>
  )
}
