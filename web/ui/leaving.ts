const leftAt = 'octavoLeftAt'

/** Milliseconds in which a fetch may have failed because the page is being left. */
const leavingFor = 30_000

/** Part of the page itself: a link may be followed before any other script is there. */
export const leavingScript = `addEventListener('beforeunload',function(){window.${leftAt}=performance.now()});`

/** Reloads the page, which leaves this one. */
export function reload(): void {
  location.reload()
  Object.assign(window, { [leftAt]: performance.now() })
}

/**
 * Whether another page has just been asked for in this tab. Firefox and Safari then stop what this
 * page still fetches, and a reload would stop the other page. After a download the page stays, and
 * is as before.
 */
export function isLeaving(): boolean {
  const at = (window as { [leftAt]?: number })[leftAt]
  return at !== undefined && performance.now() - at < leavingFor
}
