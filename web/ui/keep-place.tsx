import { useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { keepPlace, keptPlace, type KeptPlace } from './kept-place.ts'

/** Frames in which the item must stand still: rows around it are measured and fetched in them. */
const enoughFrames = 90

/** Milliseconds after which an item that doesn't come is no longer looked for. */
const patience = 30_000

/**
 * Shows the same items again after Back, Forward and reload. The router's own restoration knows
 * pixels, which mean little where rows and pages of a list come later.
 *
 * Items say who they are with `data-place`.
 */
export function KeepPlace() {
  const { key, hash, pathname } = useLocation()
  const type = useNavigationType()
  const search = useRef<{ pathname: string; stop: () => void }>(undefined)
  useLayoutEffect(() => {
    // A list that grows may say so in its address.
    if (type === NavigationType.Replace && pathname === search.current?.pathname) return
    search.current?.stop()
    search.current = undefined
    const place = type === NavigationType.Pop && !hash ? keptPlace(key) : undefined
    if (!place) return
    const stop = seekPlace(place, () => (search.current = undefined))
    search.current = { pathname, stop }
  }, [key, hash, pathname, type])
  useLayoutEffect(() => {
    const keep = () => {
      if (!search.current) keepPlace(key, currentPlace())
    }
    for (const name of moments) window.addEventListener(name, keep, { capture: true })
    return () => {
      for (const name of moments) window.removeEventListener(name, keep, { capture: true })
    }
  }, [key])
  return null
}

/** A place is kept when the reader may be about to leave it. */
const moments = ['click', 'keydown', 'scrollend', 'popstate', 'pagehide'] as const

/** What a reader scrolls with. */
const scrollInputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

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
 * Scrolls to a place as soon as it is in the page, and stays there while the list around it settles.
 * Whatever the reader does ends it.
 *
 * @param onEnd called when the place is reached or given up
 * @returns ends it
 */
function seekPlace(place: KeptPlace, onEnd: () => void): () => void {
  const deadline = performance.now() + patience
  let frame = 0
  let still = 0
  let isNear = false
  let hasFocused = false

  const step = () => {
    const item = findItem(place)
    if (place.scrollY > 0) {
      if (item) scrollBy(item.getBoundingClientRect().top - place.top)
      else isNear = approach(place, isNear)
    }
    hasFocused ||= focusLink(place)
    const isThere = place.scrollY === 0 || (item?.dataset['place'] && distance(item, place) <= 1)
    still = isThere ? still + 1 : 0
    if (still > enoughFrames || performance.now() > deadline) return end()
    frame = requestAnimationFrame(step)
  }

  function stop() {
    cancelAnimationFrame(frame)
    for (const name of scrollInputs) window.removeEventListener(name, end, { capture: true })
  }
  function end() {
    stop()
    onEnd()
  }
  for (const name of scrollInputs)
    window.addEventListener(name, end, { capture: true, passive: true })
  step()
  return stop
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
