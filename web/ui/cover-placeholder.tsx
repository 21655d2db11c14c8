import { classNames } from './class-names.ts'

/** The outline of a book, for an empty place on a shelf. */
export function CoverPlaceholder({ className }: { className?: string }) {
  return (
    <span
      className={classNames(
        'aspect-2/3 rounded-cover border border-b-0 border-dashed border-line-strong/60',
        className,
      )}
    />
  )
}
