import { loadCode } from './load-code.ts'

/** Asks the page to render the region for toasts. */
export const toastsEvent = 'octavo:messages'

/** @returns Sonner's `toast`, whose code loads on first use or with the first press on the page */
export async function fetchToast() {
  window.dispatchEvent(new Event(toastsEvent))
  const { toast, toasterShown } = await loadCode(() => import('./toast.tsx'))
  await toasterShown
  return toast
}

/** Shows an error, and loads the toasts' code if it isn't there yet. */
export const showError = (message: string) =>
  void fetchToast().then(
    (toast) => toast.error(message),
    // The toasts' code failed to load, too.
    () => undefined,
  )
