import { Suspense, useEffect, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { shortcutEvent, type Shortcut } from './shortcut.ts'

const Dialogs = lazy(() => import('./shortcut-dialogs.tsx'))

/** Listens for the keys that work on every screen; what they open is fetched when it is asked for. */
export function Shortcuts() {
  const [asked, setAsked] = useState<{ what: Shortcut }>()
  useEffect(() => {
    const ask = (what: Shortcut) => setAsked({ what })
    const onAsk = (event: Event) => ask((event as CustomEvent<Shortcut>).detail)
    const onKey = (event: KeyboardEvent) => {
      const what = shortcutOf(event)
      // An open dialog may hold unsaved text.
      if (!what || document.querySelector('[role$=dialog]')) return
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
  return <Suspense>{asked ? <Dialogs asked={asked} /> : null}</Suspense>
}

function shortcutOf(event: KeyboardEvent): Shortcut | 'search' | undefined {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
  if (altKey || defaultPrevented) return undefined
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? 'palette' : undefined
  if ((target as Element).closest?.('input,textarea,select,[role=menu]')) return undefined
  return key === '/' ? 'search' : key === '?' ? 'keys' : undefined
}
