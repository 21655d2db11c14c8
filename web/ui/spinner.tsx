import { LoaderCircle } from 'lucide-react'
import { classNames } from './class-names.ts'

/** With a label it is announced; without one it is decoration beside a text that says the same. */
export function Spinner({
  label,
  className,
}: {
  label?: string | undefined
  className?: string | undefined
}) {
  const icon = <LoaderCircle aria-hidden className={classNames('size-5 animate-spin', className)} />
  if (!label) return icon
  return (
    <output className="inline-flex items-center gap-2 text-ink-soft">
      {icon}
      <span className="text-sm">{label}</span>
    </output>
  )
}
