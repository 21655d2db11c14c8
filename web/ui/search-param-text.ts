import { useEffect, useRef, useState } from 'react'
import { useTypedEarly } from './typed-early.ts'
import { useDebouncedCall } from './debounced-call.ts'

/**
 * Keeps the text of a search field in the address: writes it after a pause in typing, and shows the
 * address's text when a link or the browser's buttons change it.
 *
 * @param current the text in the address
 * @param pause milliseconds
 * @param write puts the trimmed text into the address
 */
export function useSearchParamText(current: string, pause: number, write: (words: string) => void) {
  const [text, setText] = useState(current)
  const sent = useRef(current)
  const { schedule, cancel } = useDebouncedCall(pause)
  useEffect(() => {
    if (current === sent.current) return
    sent.current = current
    setText(current)
  }, [current])

  function apply(next: string, put = write): void {
    cancel()
    sent.current = next.trim()
    put(next.trim())
  }

  function type(next: string): void {
    setText(next)
    schedule(() => apply(next))
  }
  const field = useRef<HTMLInputElement>(null)
  useTypedEarly(field, 'value', text, type)

  return {
    /** Of the field. */
    ref: field,
    text,
    type,
    /** Does not wait for the hand. @param put writes the words together with something else */
    applyNow: (put = write) => apply(text, put),
  }
}
