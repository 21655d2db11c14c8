import { Slider as Radix } from 'radix-ui'
import { classNames } from './class-names.ts'
import { t } from '#web/i18n/library.ts'
import { currentDirection } from '#web/i18n/language.ts'

const thumb =
  'relative block size-5 rounded-full border-2 border-rubric bg-raised transition-shadow after:absolute after:-inset-3'

export function RangeSlider(props: {
  label: string
  min: number
  max: number
  step: number
  value: readonly [number, number]
  onValueChange: (value: [number, number]) => void
  format?: ((value: number) => string) | undefined
  className?: string | undefined
}) {
  const { label, min, max, step, value, onValueChange, format = String, className } = props
  return (
    <div className={classNames('grid gap-2', className)}>
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span className="font-medium">{label}</span>
        <output className="text-ink-soft tabular-nums">
          {/* Apart, so that a sign such as % doesn't turn the two about. */}
          <bdi>{format(value[0])}</bdi> – <bdi>{format(value[1])}</bdi>
        </output>
      </div>
      <Radix.Root
        dir={currentDirection()}
        min={min}
        max={max}
        step={step}
        value={[...value]}
        onValueChange={(next) => onValueChange([next[0] ?? min, next[1] ?? max])}
        className="relative flex h-11 touch-pan-y items-center select-none"
      >
        <Radix.Track className="relative h-1.5 flex-1 rounded-full bg-line forced-colors:bg-[GrayText]">
          <Radix.Range className="absolute h-full rounded-full bg-rubric forced-colors:bg-[Highlight]" />
        </Radix.Track>
        <Radix.Thumb
          aria-label={t('rangeFrom', { label })}
          aria-valuetext={format(value[0])}
          className={thumb}
        />
        <Radix.Thumb
          aria-label={t('rangeTo', { label })}
          aria-valuetext={format(value[1])}
          className={thumb}
        />
      </Radix.Root>
    </div>
  )
}
