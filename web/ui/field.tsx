import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** The attributes that connect a control to its label, hint and error. */
type FieldControl = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export type FieldText = {
  label: ReactNode
  /** Stands below the control until an error takes its place. */
  hint?: ReactNode
  error?: string | undefined
  /** Keeps the label for screen readers only (search boxes). */
  hideLabel?: boolean | undefined
  /** At the far end of the label's line, for example a 'Forgot password?' link. */
  aside?: ReactNode
  className?: string | undefined
}

type FieldProps = FieldText & {
  id?: string | undefined
  children: (control: FieldControl) => ReactNode
}

/** @returns the props of a field, and those of the control in it */
export function splitFieldProps<Props extends FieldText & { id?: string | undefined }>(
  props: Props,
) {
  const { id, label, hint, error, hideLabel, aside, className, ...control } = props
  return [{ id, label, hint, error, hideLabel, aside, className }, control] as const
}

export function Field(props: FieldProps) {
  const { id, label, hint, error, hideLabel, aside, className, children } = props
  const made = useId()
  const controlId = id ?? made
  const noteId = `${controlId}-note`
  const hasNote = Boolean(error ?? hint)
  return (
    <div
      className={classNames(
        'grid content-start gap-1.5',
        aside ? 'grid-cols-[minmax(0,1fr)_auto] gap-x-4 *:col-span-full' : null,
        className,
      )}
    >
      <label
        htmlFor={controlId}
        className={classNames(
          'col-[1]! justify-self-start self-baseline text-sm font-medium',
          hideLabel && 'sr-only',
        )}
      >
        {label}
      </label>
      {children({
        id: controlId,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {/* Shown beside the label but placed after the control, so that Tab goes from field to field. */}
      {aside ? <div className="col-[2]! row-[1] self-baseline">{aside}</div> : null}
      {/* Always there, so that the live region exists before its text and nothing below moves. Where
          it waits for an error alone, that may come close to what is below. */}
      <p
        id={noteId}
        aria-live="polite"
        className={classNames(
          'text-sm',
          hideLabel && !hasNote ? 'hidden' : 'min-h-5',
          !hint && !hideLabel && '-mb-2',
          error ? 'font-medium text-danger' : 'text-ink-soft',
        )}
      >
        {error === undefined ? hint : error}
      </p>
    </div>
  )
}

/** The error of a control that is no {@link Field}. */
export function FieldError({ id, message = '' }: { id?: string; message?: string | undefined }) {
  return (
    <p id={id} aria-live="polite" className="text-sm font-medium text-danger empty:hidden">
      {message}
    </p>
  )
}
