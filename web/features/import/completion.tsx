import { useQuery } from '@tanstack/react-query'
import { sourceNames } from '#shared/book.ts'
import { completionQuery } from '#web/api/completion.ts'
import { useApi } from '#web/api/context.ts'
import { formatList } from '#web/i18n/format.ts'
import { t } from '#web/i18n/import.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

/** How far the look-up of what an import's books lack has come, or why there is none. */
export function Completion({ id, applied }: { id: string; applied: number }) {
  const { data } = useQuery(completionQuery(useApi(), id))
  if (!data) return null
  const { isOn, sources, waiting } = data
  const note = isOn ? (sources.length ? '' : t('completedHereOnly')) : t('completionOff')
  return (
    <>
      {isOn && waiting > 0 ? (
        <ProgressBar
          label={t('completing')}
          percent={applied ? Math.max(0, 100 - (100 * waiting) / applied) : 0}
          text={t('booksWaiting', { count: waiting })}
          showText
        />
      ) : null}
      {isOn && waiting > 0 && sources.length ? (
        <p className="text-sm text-ink-soft">
          {t('completingHint', { sources: formatList(sources.map((name) => sourceNames[name])) })}
        </p>
      ) : null}
      {note ? <p className="text-sm text-ink-soft">{note}</p> : null}
    </>
  )
}
