import { loadCode } from './load-code.ts'

/** Tells the page to make room for messages. */
export const toastsEvent = 'octavo:messages'

/** Messages come with the first press anywhere: a page does without their code until then. */
export async function fetchToast() {
  window.dispatchEvent(new Event(toastsEvent))
  const { toast, toasterShown } = await loadCode(() => import('./toast.tsx'))
  await toasterShown
  return toast
}

/** Says what went wrong on a page that does without messages until then. */
export const showError = (message: string) =>
  void fetchToast().then(
    (toast) => toast.error(message),
    // Their code doesn't come either.
    () => undefined,
  )
