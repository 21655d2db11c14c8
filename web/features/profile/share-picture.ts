import type { MouseEvent } from 'react'
import { apiError, errorMessage, genericErrorMessage, ScreenError } from '#web/api/errors.ts'
import { translatorLoaded } from '#web/i18n/lazy-answers.ts'
import { showError } from '#web/ui/fetch-toast.ts'

/**
 * Opens the browser's share sheet with the picture that a link leads to. Where there is none, the
 * picture is saved. If there is no picture, the reader is told why, and nothing is shared or saved.
 */
export async function sharePicture(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
  const { href, pathname } = event.currentTarget
  event.preventDefault()
  try {
    const name = pathname.slice(pathname.lastIndexOf('/') + 1)
    const picture = new File([await fetchPicture(href)], name, { type: 'image/png' })
    if (!(await share(picture))) save(picture)
  } catch (error) {
    showError(errorMessage(error))
  }
}

/** @throws an error with a sentence for the reader if there is no picture */
async function fetchPicture(href: string): Promise<Blob> {
  const answer = await fetch(href).catch(() => null)
  if (answer?.ok && answer.headers.get('Content-Type') === 'image/png')
    return answer.blob().catch(() => Promise.reject(apiError(0, {})))
  if (!answer) throw apiError(0, {})
  await translatorLoaded()
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
  // What is in between may answer with a page of its own.
  throw message ? apiError(answer.status, { message }) : new ScreenError(genericErrorMessage())
}

/** @returns whether the sheet was shown, even if the reader chose nothing */
async function share(picture: File): Promise<boolean> {
  const files = [picture]
  if (!('canShare' in navigator) || !navigator.canShare({ files })) return false
  try {
    await navigator.share({ files })
    return true
  } catch (error) {
    // A browser may show no sheet long after the press.
    return error instanceof DOMException && error.name === 'AbortError'
  }
}

function save(picture: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = picture.name
  link.click()
  // Browsers read it after the press.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
