import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'

/** The bookbinder's sign for a sheet folded into eight leaves. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="6" className="fill-rubric-fill" />
      <g fill="none" className="stroke-on-rubric" strokeWidth="2.6">
        <circle cx="14" cy="11" r="4.2" />
        <circle cx="14" cy="20.4" r="5.2" />
      </g>
      <circle
        cx="23.4"
        cy="8.6"
        r="2.3"
        fill="none"
        className="stroke-on-rubric"
        strokeWidth="1.8"
      />
    </svg>
  )
}

export function Brand() {
  const home = useSession() ? '/explore' : '/'
  return (
    <Link to={home} className="inline-flex min-h-11 items-center gap-2.5 rounded-md">
      <BrandMark className="size-7" />
      {/* In rem of the bar: text twice as large leaves room for the sign alone. */}
      <span className="font-serif text-xl font-semibold tracking-tight @max-[15rem]:sr-only">
        Octavo
      </span>
    </Link>
  )
}
