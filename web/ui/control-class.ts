import { classNames } from './class-names.ts'

/** The style shared by text fields and selects. */
export const controlClass = classNames(
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-base text-ink',
  'min-h-11 transition-colors hover:border-ink-soft',
  'aria-invalid:border-danger aria-invalid:bg-danger-tint/40',
  'disabled:not-data-waiting:cursor-not-allowed disabled:not-data-waiting:bg-sunken disabled:not-data-waiting:text-ink-faint',
  '[&:is(input,textarea):read-only]:bg-sunken',
)
