import { fromVisitorView, isVisitorView } from '#shared/visitor-view.ts'

let isOn = false

/**
 * Lets this tab see what visitors see, if its address says so: from now on no call carries the
 * session. The router is not to know, as the server has drawn the page of the plain address; call
 * this before it starts.
 */
export function beginVisitorView(): void {
  const url = new URL(location.href)
  isOn = isVisitorView(url)
  if (isOn) history.replaceState(history.state, '', fromVisitorView(url))
}

/** @returns whether this tab sees what visitors see */
export function isVisitor(): boolean {
  return isOn
}
