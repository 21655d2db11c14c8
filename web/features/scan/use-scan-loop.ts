import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { parseBarcode } from '#shared/barcode.ts'
import { openBarcodeScanner, type BarcodeScanner } from './barcode-scanner.ts'

/** Between two looks, and after the start until the picture is sharp. Milliseconds. */
const interval = 1000
const settleTime = 500

/**
 * Looks at the picture once a second and tells what it reads. What stays in the picture is told
 * once; after an empty look, or another code, it counts as new.
 *
 * @param video plays the camera; null while there is none
 * @param paused looks at nothing, and forgets what it saw
 * @returns whether the barcode scanner could not be loaded
 */
export function useScanLoop(
  video: HTMLVideoElement | null,
  paused: boolean,
  onText: (text: string) => void,
): boolean {
  const [isBroken, setBroken] = useState(false)
  const scanner = useRef<BarcodeScanner>(null)
  const tell = useEffectEvent(onText)

  useEffect(() => {
    if (!video) return
    scanner.current = openBarcodeScanner()
    return () => {
      scanner.current?.close()
      scanner.current = null
    }
  }, [video])

  useEffect(() => {
    if (!video || paused) return
    let timer = setTimeout(() => void look(), settleTime)
    let isOver = false
    let seen: string | undefined
    async function look(): Promise<void> {
      const started = performance.now()
      try {
        const text = await readVideo(video as HTMLVideoElement, scanner.current)
        if (isOver) return
        if (text !== undefined && text !== seen) tell(text)
        seen = text
      } catch {
        if (!isOver) setBroken(true)
        return
      }
      const rest = Math.max(0, interval - (performance.now() - started))
      timer = setTimeout(() => void look(), rest)
    }
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [video, paused])

  return isBroken
}

/** @returns the first code in the picture; a book's before any other, such as that of its music */
async function readVideo(
  video: HTMLVideoElement,
  scanner: BarcodeScanner | null,
): Promise<string | undefined> {
  // Before the first frame there is nothing to read.
  if (!scanner || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined
  const texts = await scanner.read(await createImageBitmap(video))
  return texts.find((text) => 'isbn' in parseBarcode(text)) ?? texts[0]
}
