import { useEffect, useState } from 'react'

/**
 * @param delay milliseconds after the last letter
 * @returns the text once no letter was added for that long; nothing of it as soon as it is empty
 */
export function useDebouncedText(text: string, delay: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text ? delay : 0)
    return () => clearTimeout(timer)
  }, [text, delay])
  return text && settled
}
