import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const tones = {
  neutral: 'bg-sunken text-ink-soft',
  rubric: 'bg-rubric-fill text-on-rubric',
  success: 'bg-completed-tint text-completed',
  danger: 'bg-danger-tint text-danger',
}

/** A count or a word: '24', 'You', 'Popular', 'Active'. */
export function Badge(props: { tone?: keyof typeof tones | undefined; children: ReactNode }) {
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
