import { BookOpen, Bookmark, CircleCheck, CirclePause, CircleX } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { classNames } from './class-names.ts'

export type StatusName = 'reading' | 'completed' | 'planning' | 'paused' | 'dropped'

export const statusLooks: Record<
  StatusName,
  { label: string; icon: LucideIcon; text: string; tint: string }
> = {
  reading: { label: 'Reading', icon: BookOpen, text: 'text-reading', tint: 'bg-reading-tint' },
  completed: {
    label: 'Completed',
    icon: CircleCheck,
    text: 'text-completed',
    tint: 'bg-completed-tint',
  },
  planning: { label: 'Planning', icon: Bookmark, text: 'text-planning', tint: 'bg-planning-tint' },
  paused: { label: 'Paused', icon: CirclePause, text: 'text-paused', tint: 'bg-paused-tint' },
  dropped: { label: 'Dropped', icon: CircleX, text: 'text-dropped', tint: 'bg-dropped-tint' },
}

export function StatusIcon({
  status,
  className,
}: {
  status: StatusName
  className?: string | undefined
}) {
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
      {look.label}
    </span>
  )
}
