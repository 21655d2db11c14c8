import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { isComposing } from '#web/ui/is-composing.ts'
import { isPaletteKey, latinKey } from '#web/ui/latin-key.ts'
import { hasSingleKeys } from '#web/ui/single-keys.ts'
import { paletteClass, shortcutEvent, type Asked, type Shortcut } from './shortcut.ts'
import { t } from '#web/i18n/shell.ts'

const Dialogs = lazy(() => import('./shortcut-dialogs.tsx'))

/** Listens for the keys that work on every screen; what they open is fetched when it is asked for. */
export function Shortcuts() {
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    const ask = (what: Shortcut) => setAsked({ what, text: '' })
    const onAsk = (event: Event) => ask((event as CustomEvent<Shortcut>).detail)
    const onKey = (event: KeyboardEvent) => {
      const what = shortcutOf(event)
      // An open dialog may hold unsaved text.
      if (!what || document.querySelector('[role$=dialog], dialog[open]')) return
      event.preventDefault()
      const field = document.querySelector<HTMLInputElement>('main [type=search]:enabled')
      if (what !== 'search' || !field) return ask(what === 'search' ? 'palette' : what)
      field.focus()
      field.select()
    }
    addEventListener(shortcutEvent, onAsk)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener(shortcutEvent, onAsk)
      removeEventListener('keydown', onKey)
    }
  }, [])
  if (!asked) return null
  const early = (
    <EarlyField
      text={asked.text}
      onChange={(text) => setAsked({ ...asked, text })}
      onClose={() => setAsked(undefined)}
    />
  )
  return (
    <Suspense fallback={asked.what === 'palette' ? early : null}>
      <Dialogs asked={asked} />
    </Suspense>
  )
}

/** Takes what is typed while the palette's code is on its way. */
function EarlyField(props: {
  text: string
  onChange: (text: string) => void
  onClose: () => void
}) {
  const { text, onChange, onClose } = props
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    field.current?.focus()
    // On unmount give focus back, so that the palette can remember and later restore it.
    return () => (before instanceof HTMLElement ? before.focus({ preventScroll: true }) : undefined)
  }, [])
  return (
    <dialog open aria-label={t('findAnything')} className={`${paletteClass} w-full`}>
      <input
        ref={field}
        aria-label={t('findAnything')}
        value={text}
        maxLength={255}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) =>
          event.key === 'Escape' && !isComposing(event) ? onClose() : undefined
        }
        className="min-h-14 bg-transparent px-4 text-base outline-none"
      />
    </dialog>
  )
}

function shortcutOf(event: KeyboardEvent): Shortcut | 'search' | undefined {
  const { ctrlKey, metaKey, altKey, target, defaultPrevented } = event
  if (defaultPrevented) return undefined
  if (isPaletteKey(event)) return 'palette'
  if (altKey || ctrlKey || metaKey || !hasSingleKeys()) return undefined
  if ((target as Element).closest?.('input,textarea,select,[role=menu]')) return undefined
  const key = latinKey(event)
  return key === '/' ? 'search' : key === '?' ? 'keys' : undefined
}
