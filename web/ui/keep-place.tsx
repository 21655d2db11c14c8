import { useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { keepPlace, keptPlace, type KeptPlace } from './kept-place.ts'
import { latinKey } from './latin-key.ts'

/** Frames for which an item is held in its place: rows around it are still measured and fetched. */
const holdFrames = 90

/** Milliseconds to look for an item that may never come. */
const seekTimeout = 30_000

/**
 * Shows the same items again after Back, Forward and reload. The router's own restoration knows
 * pixels, which mean little where rows and pages of a list come later.
 *
 * Items say who they are with `data-place`.
 */
export function KeepPlace() {
  const { key, hash, pathname } = useLocation()
  const type = useNavigationType()
  const seek = useRef<{ pathname: string; controller: AbortController }>(undefined)
  useLayoutEffect(() => {
    // A list that grows may say so in its address.
    if (type === NavigationType.Replace && pathname === seek.current?.pathname) return
    seek.current?.controller.abort()
    const place = type === NavigationType.Pop && !hash ? keptPlace(key) : undefined
    seek.current = place && { pathname, controller: seekPlace(place) }
  }, [key, hash, pathname, type])
  useLayoutEffect(() => {
    const listeners = new AbortController()
    const keep = () => {
      // On its way back the page is not yet where the reader left it.
      if (seek.current?.controller.signal.aborted ?? true) keepPlace(key, currentPlace())
    }
    for (const name of leavingEvents)
      window.addEventListener(name, keep, { capture: true, signal: listeners.signal })
    return () => listeners.abort()
  }, [key])
  return null
}

/** Events after which the reader may leave the page. */
const leavingEvents = ['click', 'scrollend', 'popstate', 'pagehide'] as const

/** Input that scrolls, or shows that the reader is busy with the page. */
const readerInputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Keys that are held for others, and those that mean the browser by themselves. */
const browserKeys = /^(?:alt|altgraph|control|meta|shift|f5|browser\w+)$/

/**
 * @returns whether a key only goes back, goes forward or reloads, or is held for that: some systems
 *   tell of a held key again and again
 */
function isBrowserKey(event: Event): boolean {
  if (!(event instanceof KeyboardEvent)) return false
  const { altKey, ctrlKey, metaKey } = event
  const key = latinKey(event)
  if (browserKeys.test(key)) return true
  if ((ctrlKey || metaKey) && key === 'r') return true
  return (altKey || metaKey) && /^(?:arrowleft|arrowright|\[|\])$/.test(key)
}

const itemsInPage = () => [...document.querySelectorAll<HTMLElement>('main [data-place]')]

/** @returns the first item that is whole in the window, but not the one in use: that may change */
function currentPlace(): KeptPlace | null {
  const active = document.activeElement
  const inSight = itemsInPage().filter(isInSight)
  const whole = inSight.filter((item) => item.getBoundingClientRect().top >= 0)
  const others = whole.filter((item) => !item.contains(active))
  const [first] = [...others, ...whole, ...inSight]
  const used = active?.closest<HTMLElement>('[data-place]')
  const href = active?.getAttribute('href')
  // At the top there is nothing to go back to but a link.
  if (!first || (window.scrollY < 1 && !href)) return null
  return {
    item: first.dataset['place'] ?? '',
    position: positionOf(first),
    top: first.getBoundingClientRect().top,
    scrollY: Math.round(window.scrollY),
    link: used && href ? { item: used.dataset['place'] ?? '', href } : null,
  }
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

function positionOf(item: Element): number | null {
  const position = Number(item.getAttribute('aria-posinset'))
  return position > 0 ? position : null
}

/**
 * Scrolls to a place as soon as it is in the page, and holds it while the list around it settles.
 *
 * @returns aborted by whatever the reader does, and once the place is held or given up
 */
function seekPlace(place: KeptPlace): AbortController {
  const seek = new AbortController()
  const { signal } = seek
  const deadline = performance.now() + seekTimeout
  let heldFrames = 0
  let isNear = false
  let hasFocused = false

  const step = () => {
    if (signal.aborted) return
    const item = findItem(place)
    if (place.scrollY > 0) {
      if (item) scrollBy(item.getBoundingClientRect().top - place.top)
      else isNear = approach(place, isNear)
    }
    hasFocused ||= focusLink(place)
    const isThere = place.scrollY === 0 || (item?.dataset['place'] && distance(item, place) <= 1)
    heldFrames = isThere ? heldFrames + 1 : 0
    if (heldFrames > holdFrames || performance.now() > deadline) seek.abort()
    else requestAnimationFrame(step)
  }

  const end = (event: Event) => {
    if (!isBrowserKey(event)) seek.abort()
  }
  for (const name of readerInputs)
    window.addEventListener(name, end, { capture: true, passive: true, signal })
  step()
  return seek
}

/** @returns how many pixels an item is from its place */
function distance(item: Element, { top }: KeptPlace): number {
  return Math.abs(item.getBoundingClientRect().top - top)
}

function scrollBy(top: number): void {
  if (Math.abs(top) >= 1) window.scrollBy({ top, behavior: 'instant' })
}

/** @returns the item, or what stands in its position: it may be on its way, or gone */
function findItem({ item, position }: KeptPlace): HTMLElement | null {
  const byName = document.querySelector<HTMLElement>(`main [data-place="${CSS.escape(item)}"]`)
  if (byName || position === null) return byName
  return document.querySelector<HTMLElement>(`main [aria-posinset="${position}"]`)
}

/**
 * Scrolls towards an item that isn't in the page, so that the rows there come into it.
 *
 * @param isNear whether the page has been scrolled by as many pixels as before
 * @returns whether it has now
 */
function approach({ position, scrollY }: KeptPlace, isNear: boolean): boolean {
  const isLongEnough = document.documentElement.scrollHeight - window.innerHeight >= scrollY
  if (!isNear || !isLongEnough) {
    window.scrollTo({ top: scrollY, behavior: 'instant' })
    return isLongEnough
  }
  const rows = [...document.querySelectorAll('main [aria-posinset]')].filter(isInSight)
  const positions = rows.map((row) => positionOf(row) ?? 0)
  if (position === null || positions.length === 0) return true
  if (position < Math.min(...positions)) scrollBy(-window.innerHeight)
  if (position > Math.max(...positions)) scrollBy(window.innerHeight)
  return true
}

/** Focuses the link that was opened, unless the focus is somewhere. @returns whether that is done */
function focusLink({ link }: KeptPlace): boolean {
  if (!link) return true
  const { activeElement, body } = document
  if (activeElement && activeElement !== body && activeElement.id !== 'main') return true
  const path = `main [data-place="${CSS.escape(link.item)}"] a[href="${CSS.escape(link.href)}"]`
  const found = document.querySelector<HTMLElement>(path)
  found?.focus({ preventScroll: true })
  return found !== null
}
