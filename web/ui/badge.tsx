import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type BadgeTone = 'neutral' | 'rubric' | 'success' | 'danger' | 'warning' | 'info'

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  rubric: 'bg-rubric-fill text-on-rubric',
  success: 'bg-completed-tint text-completed',
  danger: 'bg-danger-tint text-danger',
  warning: 'bg-paused-tint text-paused',
  info: 'bg-reading-tint text-reading',
}

/** A count or a word: '24', 'You', 'Popular', 'Active'. */
export function Badge(props: { tone?: BadgeTone | undefined; children: ReactNode }) {
  const { tone = 'neutral', children } = props
  return (
    <span
      className={classNames(
        'inline-flex min-w-6 items-center justify-center rounded-full px-2 py-0.5 font-sans text-xs font-medium tracking-normal tabular-nums',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
