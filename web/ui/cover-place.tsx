import { classNames } from './class-names.ts'

/** Where a book could stand on a board. */
export function CoverPlace({ className }: { className?: string }) {
  return (
    <span
      className={classNames(
        'aspect-2/3 rounded-cover border border-b-0 border-dashed border-line-strong/60',
        className,
      )}
    />
  )
}
