import { RadioGroup as Radix } from 'radix-ui'
import { statuses, type Status } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { currentDirection } from '#web/i18n/language.ts'
import { FieldError } from '#web/ui/field.tsx'

/** The five reading statuses, all in sight. */
export function StatusChoice(props: {
  value: Status
  onValueChange: (status: Status) => void
  error?: string | undefined
}) {
  const { value, onValueChange, error } = props
  const label = t('status')
  return (
    <div className="grid gap-1.5">
      <span aria-hidden className="text-sm font-medium">
        {label}
      </span>
      <Radix.Root
        dir={currentDirection()}
        aria-label={label}
        value={value}
        onValueChange={(next) => onValueChange(next as Status)}
        className="flex flex-wrap gap-1.5 sm:gap-2"
      >
        {statuses.map((status) => (
          <Radix.Item
            key={status}
            value={status}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line-strong/60 px-3 text-sm font-medium transition-colors hover:bg-sunken data-[state=checked]:border-ink data-[state=checked]:bg-sunken sm:gap-2 sm:px-3.5 md:min-h-9 pointer-coarse:min-h-11"
          >
            <StatusIcon status={status} />
            {statusLabel(status)}
          </Radix.Item>
        ))}
      </Radix.Root>
      <FieldError message={error} />
    </div>
  )
}
