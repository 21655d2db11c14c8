import { useQuery } from '@tanstack/react-query'
import { coverThemeFor } from '#shared/cover-theme.ts'
import type { Reading } from '#shared/reading.ts'
import { spineHeight, spineThickness } from '#shared/spine.ts'
import { finishedInYearQuery } from '#web/api/book-journal.ts'
import { useApi } from '#web/api/context.ts'
import { t } from '#web/i18n/finish.ts'
import { classNames } from '#web/ui/class-names.ts'

/** A year's finished books on a board, the new one leaning against the others, and how many they are. */
export function FinishLedge(props: {
  user: string
  year: string
  /** The reading that has just been finished. */
  reading: Reading | undefined
}) {
  const { user, year, reading } = props
  const { data } = useQuery(finishedInYearQuery(useApi(), user, year))
  const others = data?.items.filter(({ id }) => id !== reading?.id).toReversed() ?? []
  return (
    <div className="grid h-28 content-end gap-2">
      <div
        aria-hidden
        className="flex h-20 items-end gap-px border-b-6 border-line pe-4 shadow-[0_1px_0_var(--line-strong)]"
      >
        {others.map((one) => (
          <SmallSpine key={one.id} reading={one} />
        ))}
        {reading && data ? <SmallSpine reading={reading} isNew /> : null}
      </div>
      <p className="h-5 text-sm text-ink-soft">
        {data ? t('booksOfYear', { count: data.totalItems, year }) : null}
      </p>
    </div>
  )
}

type Spined = Pick<Reading, 'title' | 'authors' | 'pages'>

function SmallSpine({ reading, isNew = false }: { reading: Spined; isNew?: boolean }) {
  const { title, authors, pages } = reading
  const { ground, shade, foil } = coverThemeFor(title, authors[0] ?? '')
  const width = spineThickness(pages)
  return (
    <span
      className={classNames(
        'relative min-w-0 rounded-t-cover',
        isNew && 'ms-2 origin-bottom-left -rotate-6 rtl:origin-bottom-right rtl:rotate-6',
      )}
      style={{
        flex: `0 1 ${width / 2}px`,
        height: `${spineHeight(title) / 3.4}px`,
        color: foil,
        background: `linear-gradient(to right, ${shade}, ${ground} 30%, ${ground} 70%, ${shade})`,
      }}
    >
      <span className="absolute inset-x-0 top-[14%] h-px bg-current opacity-60" />
      <span className="absolute inset-x-0 bottom-[14%] h-px bg-current opacity-60" />
    </span>
  )
}
