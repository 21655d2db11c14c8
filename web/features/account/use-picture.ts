import { useEffect, useState } from 'react'
import { isPicture, pictureError, pictureLimits } from '#shared/picture.ts'
import type { Refusal } from '#shared/rule.ts'
import { toast } from '#web/ui/toast.tsx'
import { ruleMessage } from '#web/i18n/rules.ts'

const tooLarge: Refusal = { key: 'pictureTooLarge', params: { max: pictureLimits.maxSize } }

/** A picture that was chosen and is not saved yet. */
export interface ChosenPicture {
  file: File | null
  /** Shows the file until it is saved. */
  address: string | null
  error: string | undefined
  choose: (files: File[]) => void
  clear: () => void
}

export function usePicture(): ChosenPicture {
  const [chosen, setChosen] = useState<{ file: File; address: string } | null>(null)
  const [error, setError] = useState<string>()
  useEffect(() => () => (chosen ? URL.revokeObjectURL(chosen.address) : undefined), [chosen])
  function choose(files: File[]): void {
    const wrong = pictureError(files)
    // The message that passes says it in round figures.
    const isTooBig = wrong?.key === 'pictureTooBig'
    const lasting = isTooBig ? tooLarge : wrong
    setError(lasting ? ruleMessage(lasting) : undefined)
    const [file] = files
    // Keep the previous choice if the new one is invalid.
    if (!wrong && file) setChosen({ file, address: URL.createObjectURL(file) })
    if (isTooBig) toast.warning(ruleMessage(wrong), { duration: 2500 })
  }
  const clear = () => {
    setChosen(null)
    setError(undefined)
  }
  return { file: chosen?.file ?? null, address: chosen?.address ?? null, error, choose, clear }
}

/** Whether a chosen file can be sent: it may have disappeared from the device. */
export async function isReadable(file: File): Promise<boolean> {
  if (!isPicture(file)) return false
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
