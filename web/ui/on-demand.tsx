import { cloneElement, Suspense, useState, type ComponentProps, type ReactElement } from 'react'
import { loadCode } from './load-code.ts'

type ButtonElement = ReactElement<ComponentProps<'button'>>

/**
 * Shows a button at once, and loads the menu behind it when the button is first hovered, focused or
 * pressed. It spares nearly every page the 14 kB of the menus' code in its first load.
 *
 * @param preload starts the fetch; called when the pointer or the keyboard comes near
 * @param children the opened menu around the same button
 */
export function OnDemand(props: {
  button: ButtonElement
  preload: () => Promise<unknown>
  children: (button: ButtonElement) => ReactElement
}) {
  const { button, preload, children } = props
  const [wanted, setWanted] = useState(false)
  const prepare = () => void loadCode(preload).catch(() => undefined)
  const waiting = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: prepare,
    onFocus: prepare,
  })
  return wanted ? <Suspense fallback={waiting}>{children(button)}</Suspense> : waiting
}
