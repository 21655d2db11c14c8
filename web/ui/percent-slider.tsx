import { useRef } from 'react'
import { classNames } from './class-names.ts'
import { useScriptControl } from './hydrated.ts'
import { formatPercent } from '#web/i18n/format.ts'

/**
 * A share of a whole, shown as a bar with a dot to drag or move by keys. Only the dot answers the
 * pointer, so that a swipe across the bar scrolls the page.
 */
export function PercentSlider(props: {
  label: string
  /** 0 to 100. */
  value: number
  onChange: (value: number) => void
  /** When the hand lets go or a key was pressed: the moment to save. */
  onCommit: (value: number) => void
  className?: string | undefined
}) {
  const { label, value, onChange, onCommit, className } = props
  const control = useScriptControl()
  const unsaved = useRef<number>(undefined)
  const commit = () => {
    if (unsaved.current !== undefined) onCommit(unsaved.current)
    unsaved.current = undefined
  }
  const shown = Math.round(value)
  return (
    <span className={classNames('relative flex h-11 min-w-0 items-center', className)}>
      <span
        aria-hidden
        className="h-1.5 flex-1 overflow-hidden rounded-full bg-line forced-colors:bg-[GrayText]"
      >
        <span
          className="block h-full bg-rubric forced-color-adjust-none"
          style={{ width: `calc(.5rem + (100% - 1rem) * ${shown / 100})` }}
        />
      </span>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={formatPercent(shown)}
        min={0}
        max={100}
        value={shown}
        {...control}
        onChange={(event) => {
          unsaved.current = Number(event.currentTarget.value)
          onChange(unsaved.current)
        }}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
        // The dot is drawn in the middle of a finger's width, which reaches past the bar's ends.
        className="range-dot pointer-events-none absolute -inset-x-3.5 m-0 h-11 w-[calc(100%+1.75rem)] appearance-none rounded-md bg-transparent"
      />
    </span>
  )
}
