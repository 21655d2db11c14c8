import { CheckMark } from '#web/ui/check-mark.tsx'
import { useState } from 'react'
import { t } from '#web/i18n/books.ts'

/** The selection of a list, for bulk edits. */
export interface Selection<T extends { id: string }> {
  chosen: readonly T[]
  has: (id: string) => boolean
  toggle: (item: T) => void
  /** In place of what was chosen. */
  set: (items: readonly T[]) => void
  /** Keeps only these ids selected. */
  keep: (ids: ReadonlySet<string>) => void
}

/**
 * @param list which one is shown: what is chosen of one is not chosen of the next, where it may not
 *   be in sight
 * @returns the selection, undefined while nothing is being selected, and what begins and ends it
 */
export function useSelection<T extends { id: string }>(list = '') {
  const [state, setState] = useState<{ list: string; chosen: ReadonlyMap<string, T> } | null>(null)
  const chosen: ReadonlyMap<string, T> = state?.list === list ? state.chosen : new Map()
  // A choice that arrives after the selection ended doesn't start a new one.
  const choose = (next: ReadonlyMap<string, T>) =>
    setState((last) => last && { list, chosen: next })
  const selection: Selection<T> | undefined = state
    ? {
        chosen: [...chosen.values()],
        has: (id) => chosen.has(id),
        toggle: (item) => {
          const next = new Map(chosen)
          if (!next.delete(item.id)) next.set(item.id, item)
          choose(next)
        },
        set: (items) => choose(new Map(items.map((item) => [item.id, item]))),
        keep: (ids) => choose(new Map([...chosen].filter(([id]) => ids.has(id)))),
      }
    : undefined
  return {
    selection,
    begin: () => setState({ list, chosen: new Map() }),
    end: () => setState(null),
  }
}

/** A tick that the whole of its card or row is the target of. */
export function SelectBox(props: { name: string; checked: boolean; onChange: () => void }) {
  const { name, checked, onChange } = props
  return (
    <label className="grid size-11 cursor-pointer place-items-center after:absolute after:inset-0 after:z-20 after:rounded-md has-checked:after:bg-rubric/5 has-focus-visible:after:outline-2 has-focus-visible:after:-outline-offset-2 has-focus-visible:after:outline-rubric">
      <input type="checkbox" className="peer sr-only" checked={checked} onChange={onChange} />
      <span className="sr-only">{t('selectNamed', { name })}</span>
      <CheckMark className="size-6 border-2" />
    </label>
  )
}
