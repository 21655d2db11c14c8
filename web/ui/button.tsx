import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { ScriptButton } from './script-button.tsx'
import { Slot } from './slot.tsx'
import { Spinner } from './spinner.tsx'

const variants = {
  primary:
    'border-transparent bg-rubric-fill text-on-rubric hover:bg-rubric-fill-hover active:bg-rubric-fill-hover',
  secondary: 'border-line-strong/60 bg-surface text-ink hover:border-line-strong hover:bg-sunken',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-sunken',
  danger: 'border-danger/50 bg-transparent text-danger hover:border-danger hover:bg-danger-tint',
}

const sizes = {
  sm: 'min-h-9 px-3 text-sm pointer-coarse:min-h-11',
  md: 'min-h-10 px-4 text-sm pointer-coarse:min-h-11',
  lg: 'min-h-12 px-6 text-base',
}

export function buttonClass(
  variant: keyof typeof variants = 'secondary',
  size: keyof typeof sizes = 'md',
): string {
  return classNames(
    // One line, unless enlarged text makes it wider than the page.
    'inline-flex max-w-full shrink-0 items-center justify-center gap-2 rounded-md border font-medium select-none',
    'transition-colors active:translate-y-px disabled:not-data-waiting:opacity-60 aria-disabled:opacity-60',
    variants[variant],
    sizes[size],
  )
}

export type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof variants | undefined
  size?: keyof typeof sizes | undefined
  icon?: ReactNode
  /** Shows a spinner in place of the icon and refuses further presses; the width stays. */
  pending?: boolean | undefined
  /** Whether it submits a form that only a script sends; it then waits for the script. */
  needsScript?: boolean | undefined
  /** Puts the look on the one child instead, for example a router link. */
  asChild?: boolean | undefined
}

export function Button({
  variant,
  size,
  icon,
  pending = false,
  needsScript = false,
  asChild = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const look = classNames(buttonClass(variant, size), className)
  if (asChild) {
    return (
      <Slot className={look} {...rest}>
        {children}
      </Slot>
    )
  }
  const Element = type === 'submit' && !needsScript ? 'button' : ScriptButton
  return (
    <Element
      {...rest}
      type={type}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      // Kept focusable while pending, since a disabled button would drop the keyboard's place, and of
      // its type, since Enter in a field would press the form's next button instead.
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={classNames(look, 'relative')}
    >
      {icon ? (
        <span
          aria-hidden
          className={classNames('flex shrink-0 [&>svg]:size-4', pending && 'invisible')}
        >
          {icon}
        </span>
      ) : null}
      <span
        className={classNames('inline-flex min-w-0 items-center gap-2', pending && 'opacity-40')}
      >
        {children}
      </span>
      {pending ? (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      ) : null}
    </Element>
  )
}
