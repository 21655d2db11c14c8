import { useEffect, useState } from 'react'

/**
 * @param pause milliseconds after the last letter
 * @returns the text once no letter was added for that long; nothing of it as soon as it is empty
 */
export function useDebouncedText(text: string, pause: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text ? pause : 0)
    return () => clearTimeout(timer)
  }, [text, pause])
  return text && settled
}
