import { useId } from 'react'
import { statuses, type Status } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { FieldError } from '#web/ui/field.tsx'

/** The five reading statuses, all in sight. */
export function StatusChoice(props: {
  value: Status
  onValueChange: (status: Status) => void
  error?: string | undefined
}) {
  const { value, onValueChange, error } = props
  const name = useId()
  const label = t('status')
  return (
    <div className="grid gap-1.5">
      <span aria-hidden className="text-sm font-medium">
        {label}
      </span>
      <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-1.5 sm:gap-2">
        {statuses.map((status) => (
          <label
            key={status}
            className="relative inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line-strong/60 px-3 text-sm font-medium transition-colors hover:bg-sunken has-checked:border-ink has-checked:bg-sunken sm:gap-2 sm:px-3.5 md:min-h-9 pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={name}
              checked={status === value}
              onChange={() => onValueChange(status)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-[inherit]"
            />
            <StatusIcon status={status} />
            {statusLabel(status)}
          </label>
        ))}
      </div>
      <FieldError message={error} />
    </div>
  )
}
