import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const storageKey = 'theme'
const changed = 'octavo:theme'

/** `paper` of each theme, for the browser's own chrome. */
export const themeColors: Record<Theme, string> = { light: '#f8f4ea', dark: '#15120e' }

/**
 * Runs in the head before the first paint: the saved choice, else the system's preference. It only
 * sets a class on the root element, so the page is never painted in the wrong colours.
 */
export const themeScript = `(function(){try{var t=localStorage.getItem('${storageKey}')}catch(e){}if(t!=='light'&&t!=='dark')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';var c=document.documentElement.classList;c.remove('light','dark');c.add(t)})()`

function currentTheme(): Theme {
  return document.documentElement.classList.contains('dark') ? 'dark' : 'light'
}

function show(theme: Theme): void {
  const { classList } = document.documentElement
  classList.remove('light', 'dark')
  classList.add(theme)
  window.dispatchEvent(new Event(changed))
}

function subscribe(notify: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key !== storageKey) return
    if (event.newValue === 'light' || event.newValue === 'dark') show(event.newValue)
  }
  window.addEventListener(changed, notify)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    window.removeEventListener(changed, notify)
    window.removeEventListener('storage', fromOtherTab)
  }
}

function toggle(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Storage may be refused (private browsing); the choice then lasts as long as the page.
  }
  show(theme)
}

/** The theme on screen and the way to change it; the choice is saved and reaches other tabs. */
export function useTheme(): { theme: Theme; toggle: () => void } {
  // The server cannot know the choice; anything that must be right at once is done in CSS.
  const theme = useSyncExternalStore(subscribe, currentTheme, (): Theme => 'light')
  return { theme, toggle }
}
