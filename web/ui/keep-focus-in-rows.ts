const controls = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled)'

const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>(controls)]

/** The control that has focus, as a place in a list. */
interface Place {
  row: Element
  /** Index of the row in the list. */
  index: number
  /** Index of the control in the row; the last control stays the last in every row. */
  control: number
}

/**
 * The `ref` of a list whose rows leave when their buttons are pressed, so that the keyboard keeps
 * its place: the focus goes to the same control of the row that comes next, or of the one before,
 * or to the list's heading.
 */
export function keepFocusInRows(list: HTMLElement | null): (() => void) | undefined {
  if (!list) return undefined
  let place: Place | undefined

  const remember = ({ target }: FocusEvent) => {
    const rows = [...list.children]
    const index = rows.findIndex((row) => row.contains(target as Node))
    const row = rows[index]
    if (!row) return
    const all = controlsOf(row)
    const control = all.indexOf(target as HTMLElement)
    place = { row, index, control: control === all.length - 1 ? -1 : control }
  }
  // Focus also leaves a row that is being removed, so look again once it's gone.
  const forget = () =>
    queueMicrotask(() => {
      if (place?.row.isConnected && !place.row.contains(document.activeElement)) place = undefined
    })
  const observer = new MutationObserver(() => {
    if (!place) return
    const { row, index, control } = place
    if (row.isConnected) {
      place.index = [...list.children].indexOf(row)
      return
    }
    place = undefined
    if (isFocusLost())
      (nearestControl(list, index, control) ?? reachable(headingsOf(list)))?.focus()
  })

  list.addEventListener('focusin', remember)
  list.addEventListener('focusout', forget)
  observer.observe(list, { childList: true })
  return () => {
    observer.disconnect()
    list.removeEventListener('focusin', remember)
    list.removeEventListener('focusout', forget)
    // The list disappears with its last row.
    if (!place) return
    const headings = headingsOf(list)
    queueMicrotask(() => {
      if (isFocusLost()) reachable(headings)?.focus()
    })
  }
}

const isFocusLost = () => !document.activeElement || document.activeElement === document.body

function nearestControl(list: Element, index: number, control: number): HTMLElement | undefined {
  const rows = [...list.children]
  const nearest = [...rows.slice(index), ...rows.slice(0, index).toReversed()]
  for (const row of nearest) {
    const all = controlsOf(row)
    const same = all.at(control) ?? all.at(-1)
    if (same) return same
  }
  return undefined
}

/** @returns the headings of the list and of what it is part of, the nearest first */
function headingsOf(list: Element): HTMLElement[] {
  const headings: HTMLElement[] = []
  for (let box = list.parentElement; box; box = box.parentElement) {
    const heading = box.querySelector<HTMLElement>('h1, h2, h3')
    if (heading && !list.contains(heading)) headings.push(heading)
  }
  return headings
}

/** @returns the first that is still there, made focusable */
function reachable(headings: readonly HTMLElement[]): HTMLElement | undefined {
  const heading = headings.find(({ isConnected }) => isConnected)
  if (heading) heading.tabIndex = -1
  return heading
}
