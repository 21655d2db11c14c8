import { useEffect, useRef } from 'react'
import { Toaster as Sonner } from 'sonner'
import { useTheme } from './theme.ts'

export { toast } from 'sonner'

/** Once, near the end of the page. */
export function Toaster() {
  const { theme } = useTheme()
  const box = useRef<HTMLElement>(null)

  useEffect(() => pauseWhileFocused(box), [])

  return (
    <Sonner
      ref={box}
      theme={theme}
      position="bottom-center"
      closeButton
      richColors
      visibleToasts={3}
      duration={2000}
      gap={14}
      mobileOffset={{ bottom: 'calc(4.5rem + env(safe-area-inset-bottom))' }}
      toastOptions={{ closeButtonAriaLabel: 'Close message' }}
    />
  )
}

/**
 * The library pauses under the pointer, but lets a message vanish from under the keyboard. It reads
 * "paused" from pointer moves over its list, so focus inside is passed on as one.
 */
function pauseWhileFocused(box: { current: HTMLElement | null }): () => void {
  const pass = (name: 'mousemove' | 'mouseout') => (event: FocusEvent) => {
    const list =
      event.target instanceof Element ? event.target.closest('[data-sonner-toaster]') : null
    if (!list || !box.current?.contains(list)) return
    const next = event.relatedTarget
    if (name === 'mouseout' && next instanceof Node && list.contains(next)) return
    list.dispatchEvent(new MouseEvent(name, { bubbles: true, relatedTarget: document.body }))
  }
  const onFocus = pass('mousemove')
  const onBlur = pass('mouseout')
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
  }
}
