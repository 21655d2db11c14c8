import { classNames } from './class-names.ts'
import { clothFor, layoutFor, titleSize } from './cloth.ts'
import type { Cloth, CoverLayout, TitleSize } from './cloth.ts'

/** Sizes follow the cover's own width, so one drawing serves a thumbnail and a page. */
const sizes: Record<TitleSize, string> = {
  xl: 'text-[17cqw] leading-[1.04]',
  lg: 'text-[13cqw] leading-[1.08]',
  md: 'text-[10.5cqw] leading-[1.12]',
  sm: 'text-[8.6cqw] leading-[1.16]',
  xs: 'text-[7.2cqw] leading-[1.2]',
}

type Drawn = { title: string; author: string; cloth: Cloth; size: TitleSize }

function Title({ title, size, className }: { title: string; size: TitleSize; className?: string }) {
  return (
    <span
      dir="auto"
      className={classNames(
        'line-clamp-6 block font-serif font-medium tracking-[-0.01em] text-balance hyphens-auto [overflow-wrap:anywhere]',
        sizes[size],
        className,
      )}
    >
      {title}
    </span>
  )
}

function Author({ author, className }: { author: string; className?: string }) {
  if (!author) return null
  return (
    <span
      dir="auto"
      className={classNames(
        'line-clamp-2 block text-[6.2cqw] leading-[1.25] font-medium',
        className,
      )}
    >
      {author}
    </span>
  )
}

const drawings: Record<CoverLayout, (book: Drawn) => React.ReactNode> = {
  label: ({ title, author, size, cloth }) => (
    <span className="absolute inset-x-[12cqw] top-[18cqw] grid max-h-[104cqw] justify-items-center gap-[4cqw] bg-[#f6efde] px-[6cqw] py-[8cqw] text-center text-[#2a2118]">
      <span className="absolute inset-[2cqw] border" style={{ borderColor: cloth.ground }} />
      <Title title={title} size={size === 'xl' ? 'lg' : size} />
      <span className="h-px w-[14cqw]" style={{ background: cloth.ground }} />
      <Author author={author} />
    </span>
  ),
  frame: ({ title, author, size }) => (
    <>
      <span className="absolute inset-[6cqw] border border-current opacity-80" />
      <span className="absolute inset-[8.5cqw] border border-current opacity-40" />
      <span className="absolute inset-[14cqw] flex flex-col items-center justify-between text-center">
        <span className="grid flex-1 place-items-center">
          <Title title={title} size={size} />
        </span>
        <Author author={author} />
      </span>
    </>
  ),
  band: ({ title, author, size, cloth }) => (
    <>
      <span
        className="absolute inset-x-0 top-[34cqw] grid min-h-[58cqw] content-center border-y-[0.8cqw] border-current px-[9cqw] py-[6cqw] text-center"
        style={{ background: cloth.shade }}
      >
        <Title title={title} size={size} />
      </span>
      <Author author={author} className="absolute inset-x-[9cqw] bottom-[10cqw] text-center" />
    </>
  ),
  modern: ({ title, author, size }) => (
    <span className="absolute inset-[9cqw] flex flex-col gap-[5cqw]">
      <Title title={title} size={size} />
      <span className="h-[1.2cqw] w-[18cqw] shrink-0 bg-current" />
      <Author author={author} />
    </span>
  ),
  column: ({ title, author, size, cloth }) => (
    <>
      <span className="absolute inset-y-0 start-0 w-[20cqw]" style={{ background: cloth.shade }} />
      <span className="absolute inset-y-0 start-[20cqw] w-[0.8cqw] bg-current opacity-70" />
      <span className="absolute inset-y-[9cqw] start-[27cqw] end-[7cqw] flex flex-col justify-between">
        <Author author={author} />
        <Title title={title} size={size === 'xl' ? 'lg' : size} />
      </span>
    </>
  ),
  initial: ({ title, author, size }) => (
    <>
      <span className="absolute inset-x-0 top-[4cqw] text-center font-serif text-[84cqw] leading-none font-light opacity-25">
        {[...title.trim()][0]?.toUpperCase()}
      </span>
      <span className="absolute inset-x-[9cqw] bottom-[9cqw] grid gap-[3cqw] text-center">
        <Title title={title} size={size === 'xl' ? 'lg' : size} />
        <Author author={author} />
      </span>
    </>
  ),
  sun: ({ title, author, size, cloth }) => (
    <>
      <svg viewBox="0 0 100 150" className="absolute inset-0 size-full" preserveAspectRatio="none">
        <circle cx="66" cy="46" r="27" fill={cloth.foil} opacity="0.9" />
        <path d="M0 66 Q 26 50 52 63 T 100 58 V 150 H 0 Z" fill={cloth.shade} />
        <path d="M0 66 Q 26 50 52 63 T 100 58" fill="none" stroke={cloth.foil} strokeWidth="0.7" />
      </svg>
      <span className="absolute inset-x-[9cqw] top-[74cqw] bottom-[9cqw] flex flex-col justify-between">
        <Title title={title} size={size === 'xl' || size === 'lg' ? 'md' : 'xs'} />
        <Author author={author} />
      </span>
    </>
  ),
  lines: ({ title, author, size }) => (
    <>
      <svg viewBox="0 0 100 150" className="absolute inset-0 size-full" preserveAspectRatio="none">
        {Array.from({ length: 9 }, (_, place) => (
          <path
            key={place}
            d={`M${10 + place * 5} 0 V${44 - place * 3} A${50 - (10 + place * 5)} ${50 - (10 + place * 5)} 0 0 0 ${90 - place * 5} ${44 - place * 3} V0`}
            fill="none"
            stroke="currentColor"
            strokeWidth="0.8"
            opacity="0.75"
          />
        ))}
      </svg>
      <span className="absolute inset-x-[9cqw] bottom-[9cqw] grid gap-[4cqw]">
        <Title
          title={title}
          size={size === 'xl' ? 'lg' : size === 'lg' ? 'md' : size}
          className="line-clamp-4"
        />
        <Author author={author} />
      </span>
    </>
  ),
}

export type TypographicCoverProps = {
  title: string
  author?: string | undefined
  /** Overrides the book's own layout; for specimen pages. */
  layout?: CoverLayout | undefined
}

/** Fills its 2:3 box; decoration to a screen reader, which is given the cover's name outside. */
export function TypographicCover({ title, author = '', layout }: TypographicCoverProps) {
  const cloth = clothFor(title, author)
  const draw = drawings[layout ?? layoutFor(title, author)]
  return (
    <span
      aria-hidden
      className="@container absolute inset-0 block overflow-hidden"
      style={{ background: cloth.ground, color: cloth.foil }}
    >
      {draw({ title, author, cloth, size: titleSize(title) })}
      {/* The hinge: what makes a rectangle a bound book. */}
      <span className="absolute inset-y-0 start-0 w-[5cqw] bg-linear-to-r from-black/20 via-white/10 to-black/15" />
    </span>
  )
}
