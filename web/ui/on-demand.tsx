import { cloneElement, Suspense, useState, type ComponentProps, type ReactElement } from 'react'

type ButtonElement = ReactElement<ComponentProps<'button'>>

/**
 * Shows a button at once, and fetches the menu behind it when the button is first reached for: the
 * landing page then carries no menus.
 *
 * @param preload starts the fetch; called when the pointer or the keyboard comes near
 * @param children the opened menu around the same button
 */
export function OnDemand({
  button,
  preload,
  children,
}: {
  button: ButtonElement
  preload: () => unknown
  children: (button: ButtonElement) => ReactElement
}) {
  const [wanted, setWanted] = useState(false)
  const waiting = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: () => void preload(),
    onFocus: () => void preload(),
  })
  return wanted ? <Suspense fallback={waiting}>{children(button)}</Suspense> : waiting
}
