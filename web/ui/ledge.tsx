/** A ledge that waits for its first books. */
export function EmptyLedge() {
  return (
    <svg aria-hidden viewBox="0 0 192 152" className="h-38 w-48 rtl:-scale-x-100">
      <g className="fill-none stroke-ink-faint" strokeWidth="1.5" strokeDasharray="5 4">
        <path d="M42 127V1H74V127" />
        <path d="M74 19H116V127" />
        <path d="M121 127 139 9 168 14 151 127" />
      </g>
      <path className="fill-line" d="M0 127H192V134H0Z" />
      <path className="stroke-ink-faint" d="M0 134.5H192" />
      <path className="fill-rubric-fill" d="M90 127H101V152L95.5 147 90 152Z" />
    </svg>
  )
}

/** A ledge on which one book is missing. */
export function LedgeWithGap() {
  return (
    <svg aria-hidden viewBox="0 0 224 136" className="h-34 w-56 rtl:-scale-x-100">
      <g className="fill-sunken stroke-line-strong">
        <path d="M14 127V22H42V127Z" />
        <path d="M42 127V6H80V127Z" />
        <path d="M124 127V14H150V127Z" />
        <path d="M150 127V32H182V127Z" />
        <path d="M182 127V20H208V127Z" />
      </g>
      <path
        className="fill-none stroke-rubric"
        strokeWidth="1.5"
        strokeDasharray="5 4"
        d="M86 127V10H118V127"
      />
      <path className="fill-line" d="M0 127H224V134H0Z" />
      <path className="stroke-ink-faint" d="M0 134.5H224" />
    </svg>
  )
}
