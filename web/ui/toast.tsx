import { useEffect, useRef } from 'react'
import { toast as sonner, Toaster as Sonner } from 'sonner'
import { useIsDialogOpen } from './open-dialogs.ts'
import { useTheme } from './theme.ts'
import { t } from '#web/i18n/shell.ts'

/** Milliseconds; what went wrong takes longer to read than what went well. */
const errorTime = 6000

const error: typeof sonner.error = (message, options) =>
  sonner.error(message, { duration: errorTime, ...options })

/** A message in passing. Errors stay for six seconds, or until they are closed. */
export const toast: typeof sonner = Object.assign(
  (...message: Parameters<typeof sonner>) => sonner(...message),
  sonner,
  { error },
)

const shown = Promise.withResolvers<void>()

/** Resolves once there is a place for messages: the library drops those that come before. */
export const toasterShown = shown.promise

/** Once, near the end of the page. */
export function Toaster() {
  const { theme } = useTheme()
  const box = useRef<HTMLElement>(null)
  // At the bottom it would cover the buttons of a dialog.
  const position = useIsDialogOpen() ? 'top-center' : 'bottom-center'

  useEffect(() => pauseWhileFocused(box), [])
  useEffect(() => giveFocusBack(box), [])
  useEffect(() => shown.resolve(), [])

  return (
    <Sonner
      ref={box}
      containerAriaLabel={t('notifications')}
      theme={theme}
      position={position}
      closeButton
      richColors
      visibleToasts={3}
      duration={2000}
      gap={14}
      mobileOffset={{
        top: 'calc(0.5rem + env(safe-area-inset-top))',
        bottom: 'calc(4.5rem + env(safe-area-inset-bottom))',
      }}
      toastOptions={{ closeButtonAriaLabel: t('closeMessage') }}
    />
  )
}

/**
 * After a button of a message was pressed, the focus goes back to where it was. The library would
 * wait until the message is gone, and close the menu that was opened in between.
 */
function giveFocusBack(box: { current: HTMLElement | null }): () => void {
  const section = box.current
  const leave = ({ target, detail }: MouseEvent) => {
    const isPressedByPointer = detail > 0
    const button = target instanceof Element && target.closest('button')
    if (button && isPressedByPointer) button.blur()
  }
  section?.addEventListener('click', leave)
  return () => section?.removeEventListener('click', leave)
}

/**
 * The library pauses under the pointer, but lets a message vanish from under the keyboard. It reads
 * "paused" from pointer moves over its list, so focus inside is passed on as one.
 */
function pauseWhileFocused(box: { current: HTMLElement | null }): () => void {
  let held: Element | null = null
  const tell = (list: Element, name: 'mousemove' | 'mouseout') =>
    list.dispatchEvent(new MouseEvent(name, { bubbles: true, relatedTarget: document.body }))
  const follow = () => {
    const list = box.current?.querySelector('[data-sonner-toaster]') ?? null
    const inside = list?.contains(document.activeElement) ? list : null
    if (inside) tell(inside, 'mousemove')
    else if (held) tell(held, 'mouseout')
    held = inside
  }
  // Focus on a message that is closed is lost without a word, hence the observer.
  const observer = new MutationObserver(() => {
    if (held) follow()
  })
  // The library's list comes and goes inside this section, which stays.
  if (box.current) observer.observe(box.current, { childList: true, subtree: true })
  const leave = () => queueMicrotask(follow)
  document.addEventListener('focusin', follow)
  document.addEventListener('focusout', leave)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', follow)
    document.removeEventListener('focusout', leave)
  }
}
