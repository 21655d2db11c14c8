import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { StatusIcon, type StatusName } from './status-badge.tsx'

const grounds: Record<StatusName, string> = {
  reading: 'bg-reading',
  completed: 'bg-completed',
  planning: 'bg-planning',
  paused: 'bg-paused',
  dropped: 'bg-dropped',
}

/** Wraps a cover in a card. The cover and its marks lift under the pointer. */
export function CoverObject({ children }: { children: ReactNode }) {
  return (
    <div className="relative transition-transform duration-200 group-hover/card:-translate-y-0.5">
      {children}
    </div>
  )
}

/** A book's status, hung six pixels above the edge of its cover so that no title is hidden. */
export function Ribbon({ status }: { status: StatusName }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'pointer-events-none absolute end-[7px] -top-1.5 grid h-6 w-4 justify-center pt-1.5 [clip-path:polygon(0_0,100%_0,100%_100%,50%_82%,0_100%)]',
        grounds[status],
      )}
    >
      <StatusIcon status={status} className="size-2.5! text-paper!" />
    </span>
  )
}

/** Below a cover: how far its reader is, nothing at 0; the words say it, too. */
export function CoverBar({ percent, status }: { percent: number; status: StatusName }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'mt-1 block h-[3px] overflow-hidden rounded-full',
        percent > 0 && 'bg-line',
      )}
    >
      <span
        className={classNames('block h-full', grounds[status])}
        style={{ width: `${percent}%` }}
      />
    </span>
  )
}
