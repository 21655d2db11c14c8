import { languageName, sourceNames } from '#shared/book.ts'
import { partialDateText } from '#shared/partial-date.ts'
import type { CompletionSource, UserBook } from '#shared/user-book.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/library.ts'

/** Series, edition and description of a reader's book. */
export default function BookDescription({ book }: { book: UserBook }) {
  const { series, series_position: position, description, language, published, completed } = book
  const source = completed?.description?.source
  const locale = currentLanguage()
  const edition = [partialDateText(published, locale), languageName(language, locale)]
  return (
    <>
      {series ? (
        <p className="text-sm text-ink-soft">
          {position ? t('placeInSeries', { series, position }) : t('partOfSeries', { series })}
        </p>
      ) : null}
      <p className="text-sm text-ink-soft empty:hidden">{edition.filter(Boolean).join(' · ')}</p>
      {description ? (
        <div className="mt-4 grid grid-cols-1 gap-2">
          <p dir="auto" className="text-match-parent whitespace-pre-line wrap-anywhere">
            {description}
          </p>
          {source ? <p className="text-sm text-ink-soft">{sourceText(source)}</p> : null}
        </div>
      ) : null}
    </>
  )
}

function sourceText(source: CompletionSource): string {
  return source === 'catalogue'
    ? t('descriptionFrom.catalogue')
    : t('descriptionFrom', { source: sourceNames[source] })
}
