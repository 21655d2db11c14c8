import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'

const highlighted = '[role="option"][aria-selected="true"]'
const goesTo = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End'])

/**
 * Rows arrive late, and above others. The highlight stays where the reader has put it; until they
 * have, it is on the best row, which is the first.
 *
 * @returns what the field, the list and the element that hears their keys are to carry; `restart`
 *   when another text is looked for
 */
export function useHighlight() {
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isChosen = useRef(false)
  useEffect(() => {
    const rows = list.current
    if (!rows) return
    const observer = new MutationObserver((changes) => {
      const gone = changes.flatMap(({ removedNodes }) => [...removedNodes])
      if (gone.some(isHighlighted)) isChosen.current = false
      const isOther = changes.some(({ type }) => type === 'childList')
      if (isOther && !isChosen.current)
        rows.dispatchEvent(new globalThis.KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
      // The library forgets to say it when a row takes the place of another.
      const id = rows.querySelector(highlighted)?.id
      if (id) field.current?.setAttribute('aria-activedescendant', id)
    })
    observer.observe(rows, { childList: true, subtree: true, attributeFilter: ['aria-selected'] })
    return () => observer.disconnect()
  }, [])
  return {
    field,
    list,
    restart: () => {
      isChosen.current = false
    },
    onArrow: ({ key, nativeEvent }: KeyboardEvent) => {
      if (nativeEvent.isTrusted && goesTo.has(key)) isChosen.current = true
    },
    onPointerMove: (event: PointerEvent) => {
      // A row that comes to lie under a resting pointer was not pointed at.
      if (event.movementX === 0 && event.movementY === 0) event.stopPropagation()
      else isChosen.current = true
    },
  }
}

function isHighlighted(node: Node): boolean {
  return (
    node instanceof Element &&
    (node.matches(highlighted) || node.querySelector(highlighted) !== null)
  )
}
