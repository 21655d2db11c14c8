import type { MouseEvent } from 'react'

/** @returns whether the browser can hand a picture to other programs */
function canSharePictures(): boolean {
  const file = new File([], 'year.png', { type: 'image/png' })
  return 'canShare' in navigator && navigator.canShare({ files: [file] })
}

/**
 * Opens the browser's share sheet with the picture that a link leads to. Where there is none, the
 * link downloads the picture.
 */
export async function sharePicture(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
  const { href, pathname } = event.currentTarget
  if (!canSharePictures()) return
  event.preventDefault()
  try {
    const picture = await (await fetch(href)).blob()
    const name = pathname.slice(pathname.lastIndexOf('/') + 1)
    await navigator.share({ files: [new File([picture], name, { type: picture.type })] })
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError'
    // Without the sheet the picture is shown, to be saved from there.
    if (!isCancelled) location.assign(href)
  }
}
