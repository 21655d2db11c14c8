import { ChevronRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '#web/ui/class-names.ts'
import { Part } from '#web/ui/part.tsx'

/** A subject of the settings, to which their list leads: a heading over rows. */
export function SettingsSection(props: {
  /** The fragment of its address. */
  id: string
  title: ReactNode
  children: ReactNode
}) {
  const { id, title, children } = props
  return (
    <section id={id} className="scroll-mt-20">
      <h2 className="pb-2 font-sans text-base font-[560]">{title}</h2>
      <Part>{children}</Part>
    </section>
  )
}

/** One setting: its name and what it does, and the control at the far end. */
export function SettingsRow(props: {
  title: ReactNode
  hint?: ReactNode
  /** Beside the name. */
  badge?: ReactNode
  /** At the far end. */
  control?: ReactNode
  /** Below, over the whole width. */
  children?: ReactNode
}) {
  const { title, hint, badge, control, children } = props
  const id = useId()
  return (
    <fieldset
      aria-labelledby={id}
      aria-describedby={hint ? `${id}-hint` : undefined}
      className="grid min-h-14 min-w-0 grid-cols-1 content-center gap-3 border-t border-line py-3"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-y-0.5">
        <div className="flex min-w-0 flex-[1_1_6rem] flex-wrap items-center gap-2 wrap-anywhere">
          <h3 id={id} className="font-sans text-base font-medium">
            {title}
          </h3>
          {badge}
        </div>
        {control ? (
          <div className="max-w-full min-w-0 sm:row-span-2 sm:max-w-60">{control}</div>
        ) : null}
        {hint ? (
          <p
            id={`${id}-hint`}
            className={classNames(
              'text-sm text-ink-soft',
              control ? 'max-sm:basis-full' : 'basis-full sm:col-span-2',
            )}
          >
            {hint}
          </p>
        ) : null}
      </div>
      {children ? <Part>{children}</Part> : null}
    </fieldset>
  )
}

/** A setting that has its own screen; the whole row is the link. */
export function SettingsLink(props: { title: string; hint: string; to: string }) {
  const { title, hint, to } = props
  return (
    <div className="relative flex min-h-14 items-center gap-3 border-t border-line py-3">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h3 className="font-sans text-base font-medium">
          <Link
            to={to}
            prefetch="intent"
            className="after:absolute after:inset-0 hover:text-rubric"
          >
            {title}
          </Link>
        </h3>
        <p className="text-sm text-ink-soft">{hint}</p>
      </div>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-faint rtl:-scale-x-100" />
    </div>
  )
}
