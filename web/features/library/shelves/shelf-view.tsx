import { LayoutGrid, Library, List } from 'lucide-react'
import { useState } from 'react'
import { t } from '#web/i18n/books.ts'
import { IconSelect } from '#web/ui/icon-select.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'

export type ShelfView = 'grid' | 'list' | 'spines'

const views = [
  { value: 'grid', icon: <LayoutGrid /> },
  { value: 'list', icon: <List /> },
  { value: 'spines', icon: <Library /> },
] as const

const year = 365 * 24 * 60 * 60

/** The default view of each screen. Each keeps its choice in a cookie of its own. */
const firstViews = { shelf: 'grid', books: 'list' } as const
type Viewed = keyof typeof firstViews

/**
 * @param cookies as a request carries them or as `document.cookie` gives them
 * @returns the view that was chosen last in this browser
 */
export function readShelfView(cookies: string, viewed: Viewed = 'shelf'): ShelfView {
  const kept = new RegExp(`(?:^|;\\s*)${viewed}-view=(\\w+)`).exec(cookies)?.[1]
  return views.find((view) => view.value === kept)?.value ?? firstViews[viewed]
}

/**
 * How a reader likes to see shelves. It is kept in a cookie, so that the first paint has it.
 *
 * @param first what the page was made with; left out, the browser is asked
 */
export function useShelfView(
  first?: ShelfView,
  viewed: Viewed = 'shelf',
): [ShelfView, (view: ShelfView) => void] {
  const [view, setView] = useState(() => first ?? readShelfView(document.cookie, viewed))
  const keep = (next: ShelfView) => {
    document.cookie = `${viewed}-view=${next}; Path=/; Max-Age=${year}; SameSite=Lax`
    setView(next)
  }
  return [view, keep]
}

export function ShelfViewChoice(props: {
  view: ShelfView
  onChange: (view: ShelfView) => void
  /** On a phone the three are a list behind one icon. */
  folds?: boolean
}) {
  const { view, onChange, folds = false } = props
  const choice = {
    label: t('view'),
    value: view,
    options: views.map((one) => ({ ...one, label: t(`view.${one.value}`) })),
    onValueChange: onChange,
  }
  if (!folds) return <SegmentedControl iconOnly {...choice} />
  return (
    <>
      <span className="shrink-0 max-md:hidden">
        <SegmentedControl iconOnly {...choice} />
      </span>
      <IconSelect
        {...choice}
        icon={views.find(({ value }) => value === view)?.icon}
        className="md:hidden"
      />
    </>
  )
}
