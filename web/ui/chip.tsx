import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Slot } from './slot.tsx'
import { t } from '#web/i18n/shell.ts'
import { ScriptButton } from './script-button.tsx'

const look =
  'inline-flex max-w-full items-center gap-1.5 rounded-full border border-line bg-surface px-3 py-1 text-sm text-ink-soft'
const pressable =
  'min-h-9 transition-colors hover:border-line-strong hover:text-ink pointer-coarse:min-h-11'

export function Chip(props: {
  children: ReactNode
  /** A filter that is on or off. */
  pressed?: boolean | undefined
  onPress?: (() => void) | undefined
  /** An active filter that can be removed. */
  onRemove?: (() => void) | undefined
  removeLabel?: string | undefined
  /** The one child is a link that takes the look. */
  asChild?: boolean | undefined
  className?: string | undefined
}) {
  const {
    children,
    pressed,
    onPress,
    onRemove,
    removeLabel = t('remove'),
    asChild,
    className,
  } = props
  if (asChild) {
    return <Slot className={classNames(look, pressable, className)}>{children}</Slot>
  }
  if (onPress) {
    return (
      <ScriptButton
        aria-pressed={pressed}
        onClick={onPress}
        className={classNames(
          look,
          pressable,
          'aria-pressed:border-rubric aria-pressed:bg-rubric-tint aria-pressed:text-rubric',
          className,
        )}
      >
        {children}
      </ScriptButton>
    )
  }
  return (
    <span className={classNames(look, className)}>
      <span className="truncate">{children}</span>
      {onRemove ? (
        <ScriptButton
          aria-label={removeLabel}
          onClick={onRemove}
          className="relative -me-1.5 grid size-6 place-items-center rounded-full after:absolute after:-inset-2.5 hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-3.5" />
        </ScriptButton>
      ) : null}
    </span>
  )
}
