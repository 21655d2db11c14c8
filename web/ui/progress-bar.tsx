import { classNames } from './class-names.ts'
import { formatPercent } from '#web/i18n/format.ts'

const tones = {
  rubric: '[&::-moz-progress-bar]:bg-rubric [&::-webkit-progress-value]:bg-rubric',
  completed: '[&::-moz-progress-bar]:bg-completed [&::-webkit-progress-value]:bg-completed',
}

export function ProgressBar(props: {
  /** 0 to 100. */
  percent: number
  /** Its name: 'Reading progress of ...'. */
  label: string
  /** Shown and read instead of the percentage, for example '120 of 320 pages'. */
  text?: string | undefined
  showText?: boolean | undefined
  tone?: 'rubric' | 'completed' | undefined
  className?: string | undefined
}) {
  const { percent, label, text, showText = false, tone = 'rubric', className } = props
  const shown = Math.round(Math.min(100, Math.max(0, percent)))
  return (
    <span className={classNames('flex flex-wrap items-center gap-x-2', className)}>
      <progress
        aria-label={label}
        aria-valuetext={text}
        value={shown}
        max={100}
        className={classNames(
          'block h-1.5 w-10 flex-1 appearance-none overflow-hidden rounded-full bg-line [&::-webkit-progress-bar]:bg-line',
          '[&::-moz-progress-bar]:rounded-full [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:transition-[inline-size] [&::-webkit-progress-value]:duration-200',
          tones[tone],
        )}
      />
      {showText ? (
        <span aria-hidden className="text-xs text-ink-soft tabular-nums">
          {text ?? formatPercent(shown)}
        </span>
      ) : null}
    </span>
  )
}
