/** A field of dots that drifts slowly; it stands still for readers who asked for less motion. */
export function DotsBanner() {
  return (
    <div aria-hidden className="relative h-28 overflow-hidden bg-rubric-tint md:h-48">
      <svg className="absolute -inset-6 size-[calc(100%+3rem)] text-rubric/35 motion-safe:animate-drift">
        <defs>
          <pattern id="dots" width="24" height="24" patternUnits="userSpaceOnUse">
            <circle cx="4" cy="4" r="1.5" fill="currentColor" />
            <circle cx="16" cy="16" r="1" fill="currentColor" />
          </pattern>
        </defs>
        <rect width="100%" height="100%" fill="url(#dots)" />
      </svg>
    </div>
  )
}
