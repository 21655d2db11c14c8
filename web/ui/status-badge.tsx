import {
  BookOpen,
  Bookmark,
  CircleCheck,
  CirclePause,
  CircleX,
  type LucideIcon,
} from 'lucide-react'
import { classNames } from './class-names.ts'
import { t } from '#web/i18n/shell.ts'

export type StatusName = 'reading' | 'completed' | 'planning' | 'paused' | 'dropped'

const statusLooks: Record<StatusName, { icon: LucideIcon; text: string; tint: string }> = {
  reading: { icon: BookOpen, text: 'text-reading', tint: 'bg-reading-tint' },
  completed: { icon: CircleCheck, text: 'text-completed', tint: 'bg-completed-tint' },
  planning: { icon: Bookmark, text: 'text-planning', tint: 'bg-planning-tint' },
  paused: { icon: CirclePause, text: 'text-paused', tint: 'bg-paused-tint' },
  dropped: { icon: CircleX, text: 'text-dropped', tint: 'bg-dropped-tint' },
}

/** @returns a status as readers call it */
export function statusLabel(status: StatusName): string {
  return t(`status.${status}`)
}

export function StatusIcon(props: { status: StatusName; className?: string | undefined }) {
  const { status, className } = props
  const { icon: Icon, text } = statusLooks[status]
  return <Icon aria-hidden className={classNames('size-4 shrink-0', text, className)} />
}

export function StatusBadge({ status }: { status: StatusName }) {
  const look = statusLooks[status]
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 text-xs font-medium whitespace-nowrap',
        look.text,
        look.tint,
      )}
    >
      <look.icon aria-hidden className="size-3.5" />
      {statusLabel(status)}
    </span>
  )
}

/** A status as a line of its own, in its colour. */
export function StatusText({ status }: { status: StatusName }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-2.5 font-medium',
        statusLooks[status].text,
      )}
    >
      <StatusIcon status={status} className="size-5!" />
      {statusLabel(status)}
    </span>
  )
}
