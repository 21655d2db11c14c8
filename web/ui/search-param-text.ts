import { useEffect, useRef, useState } from 'react'
import { useTypedEarly } from './typed-early.ts'
import { useDebouncedCall } from './debounced-call.ts'

/**
 * The text of a search field whose words stand in the address: what is typed goes there when the
 * hand rests, and an address that changes otherwise, by a link or the browser's buttons, is shown.
 *
 * @param current the address's words
 * @param pause milliseconds
 * @param write puts other words, without the space around them, into the address
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
