import type { BookMatch } from '#shared/book.ts'
import { t } from '#web/i18n/catalogue.ts'
import { genreName } from '#web/i18n/genres.ts'
import { withCommas } from '#web/i18n/format.ts'

/** Why a book answers a description, in the catalogue's own words. */
export function MatchNote(props: { match?: BookMatch | undefined; byModel?: boolean }) {
  const { match, byModel } = props
  const subjects = withCommas(match?.subjects.slice(0, 3).map(genreName) ?? [])
  if (!subjects && !match?.sentence && !byModel) return null
  return (
    <div dir="auto" className="grid gap-1 text-xs text-ink-soft">
      {subjects || byModel ? (
        <p className="font-medium">
          {[byModel ? t('suggestedByTheModel') : '', subjects].filter(Boolean).join(' · ')}
        </p>
      ) : null}
      {match?.sentence ? <p className="line-clamp-3 font-serif italic">{match.sentence}</p> : null}
    </div>
  )
}
