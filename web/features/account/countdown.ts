import { useEffect, useState } from 'react'

/** @returns whole seconds from one moment to another (milliseconds), never below 0 */
export function secondsLeft(end: number, now: number): number {
  return Math.max(0, Math.ceil((end - now) / 1000))
}

/** @returns "2:05" */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/**
 * Counts down to a moment (milliseconds). The clock is read anew each time, so a computer that
 * slept wakes up with the right figure.
 */
export function useSecondsLeft(end: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return secondsLeft(end, now)
}
