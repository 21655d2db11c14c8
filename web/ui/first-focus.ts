import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Gives a dialog's field the focus, which its first button would get otherwise. For a component that
 * is inside the dialog.
 *
 * @returns the field's ref
 */
export function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  // Before the dialog gives the focus to its first button.
  useLayoutEffect(() => field.current?.focus(), [])
  return field
}
