/**
 * Joins the tabs of one browser. A message is not heard by the tab that sent it.
 *
 * @returns undefined in browsers without channels; some refuse them along with cookies
 */
export function openTabChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}
