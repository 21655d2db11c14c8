import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { ScriptButton } from './script-button.tsx'

const tones = {
  quiet:
    'size-10 pointer-coarse:size-11 border-transparent text-ink-soft hover:bg-sunken hover:text-ink',
  outlined:
    'size-10 pointer-coarse:size-11 border-line-strong/60 bg-surface text-ink hover:border-line-strong hover:bg-sunken',
  // Small enough to leave the cover in sight; the finger gets its 44 px all the same.
  raised:
    'relative size-9 outline-offset-[-4px] after:absolute after:-inset-1 border-line bg-raised text-ink shadow-lift hover:bg-sunken',
}

export function iconButtonClass(tone: keyof typeof tones = 'quiet'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center rounded-md border transition-colors',
    'disabled:not-data-waiting:opacity-60 [&_svg]:size-5',
    tones[tone],
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** The action, for people who can't see the icon. */
  label: string
  tone?: keyof typeof tones | undefined
  children: ReactNode
}

export function IconButton({
  label,
  tone,
  className,
  type = 'button',
  children,
  ...rest
}: IconButtonProps) {
  const Element = type === 'submit' ? 'button' : ScriptButton
  return (
    <Element
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(iconButtonClass(tone), className)}
    >
      {children}
    </Element>
  )
}
