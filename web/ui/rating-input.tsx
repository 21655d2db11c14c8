import { X } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import { useScriptControl } from './hydrated.ts'
import { IconButton } from './icon-button.tsx'
import { useRatingScale } from './rating-scale.ts'
import { formatRating, ratingAfterKey, ratingMax, ratingStep, ratingText } from './rating-steps.ts'
import { RatingOf, Stars } from './rating.tsx'
import { t } from '#web/i18n/shell.ts'

type RatingInputProps = {
  label?: string | undefined
  value: number
  onChange: (value: number) => void
  /** When the hand lets go or a key was pressed: the moment to save. */
  onCommit?: ((value: number) => void) | undefined
  /** Whether a button takes the rating away; keys and a drag to the start do so anyway. */
  clearable?: boolean | undefined
}

/** Half points of the viewer's scale by pointer, touch (drag along the stars) and keys. */
export function RatingInput({ clearable = true, ...props }: RatingInputProps) {
  const { value, onChange, onCommit } = props
  const scale = useRatingScale()
  const clear = () => {
    onChange(0)
    onCommit?.(0)
  }
  return (
    <span className="inline-flex max-w-full items-center gap-2 pointer-coarse:flex-wrap pointer-coarse:gap-x-1">
      <StarSlider {...props} />
      <output aria-hidden className="min-w-12 font-serif text-lg tabular-nums">
        {value > 0 ? (
          <>
            {formatRating(value, scale)}
            <RatingOf scale={scale} />
          </>
        ) : (
          '–'
        )}
      </output>
      {clearable ? (
        <IconButton
          label={t('clearRating')}
          onClick={clear}
          className={value > 0 ? undefined : 'invisible'}
        >
          <X aria-hidden />
        </IconButton>
      ) : null}
    </span>
  )
}

/**
 * A real range input lies over the stars: screen readers on phones can swipe it, which no drawn
 * slider allows.
 */
function StarSlider(props: Omit<RatingInputProps, 'clearable'>) {
  const { label = t('rating'), value, onChange, onCommit } = props
  const control = useScriptControl()
  const unsaved = useRef(false)
  const scale = useRatingScale()
  const step = ratingStep(scale)
  const change = (next: number) => {
    if (next === value) return
    unsaved.current = true
    onChange(next)
  }
  const commit = () => {
    if (unsaved.current) onCommit?.(value)
    unsaved.current = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = ratingAfterKey(event.key, value, scale)
    if (next === null) return
    event.preventDefault()
    change(next)
  }
  return (
    <span className="relative flex h-11 min-w-0 items-center rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-rubric">
      <Stars
        value={value}
        className="h-9 w-45 max-w-full pointer-coarse:h-11 pointer-coarse:w-55"
      />
      <input
        type="range"
        aria-label={label}
        aria-valuetext={value > 0 ? ratingText(value, scale) : t('notRated')}
        min={0}
        max={ratingMax}
        // A finer rating stands as it is, so that each star is a change.
        step={value % step === 0 ? step : 'any'}
        value={value}
        {...control}
        onChange={(event) => change(Math.round(Number(event.currentTarget.value) / step) * step)}
        onKeyDown={onKeyDown}
        onKeyUp={commit}
        onPointerUp={commit}
        onBlur={commit}
        className="absolute inset-0 m-0 size-full cursor-pointer touch-pan-y appearance-none opacity-0 [&::-moz-range-thumb]:size-px [&::-webkit-slider-thumb]:size-px [&::-webkit-slider-thumb]:appearance-none"
      />
    </span>
  )
}
