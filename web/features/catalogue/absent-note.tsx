import type { SearchForm, SearchResult } from '#shared/book.ts'
import { hasWrongDigit } from '#shared/isbn.ts'
import { useSession } from '#web/api/session.ts'
import { AddBookByHand } from '#web/features/library/add-book/add-book-by-hand.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { formatList } from '#web/i18n/format.ts'
import { useSearch } from './use-search.ts'

const called = ({ q, title }: SearchForm) => t('noBookCalledHere', { title: q || title })

function leftOutText(words: readonly string[] = []): string {
  if (words.length === 0) return ''
  return t('leftOut', { words: formatList(words.map((text) => t('quoted', { text }))) })
}

/** Above books that are not called what was searched for, or that leave out a part of it. */
export function AbsentNote(props: {
  form: SearchForm
  first: SearchResult | undefined
  /** A sentence about the other catalogues that were searched. */
  outside: string
}) {
  const { form, first, outside } = props
  const { change } = useSearch()
  const isReader = useSession() !== null
  if (!first) return null
  const leftOut = leftOutText(first.left_out)
  const hint = wrongDigitText(form) || leftOut
  if (!first.absent) return hint ? <p className="mb-6 text-ink-soft">{hint}</p> : null
  return (
    <>
      <ErrorState
        tone="empty"
        title={called(form)}
        message={outside || undefined}
        className="mb-6 wrap-anywhere"
        action={
          first.matches || isReader ? (
            <>
              {isReader ? <AddBookByHand text={form.q || form.title} /> : null}
              {first.matches ? (
                <Button size="sm" onClick={() => change({ mode: 'words' })}>
                  {t('searchForTheseWordsInstead')}
                </Button>
              ) : null}
            </>
          ) : undefined
        }
      />
      <h2 className="text-xl">{first.matches ? t('booksItMayDescribe') : t('closeMatches')}</h2>
      <p className="mb-6 text-ink-soft">{leftOut}</p>
    </>
  )
}

/** @returns what to say of an ISBN that no book can have; '' if the search has none */
export function wrongDigitText({ q, isbn }: SearchForm): string {
  return hasWrongDigit(isbn || q) ? t('oneDigitIsWrong') : ''
}

/** @returns what to say when nothing was found; '' when no name of a book was asked for */
export function absentText(form: SearchForm): string {
  const isName = form.by === '1' && form.mode !== 'describe' && !form.isbn
  return isName && (form.q || form.title) ? called(form) : ''
}
