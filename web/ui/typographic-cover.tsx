import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import {
  coverThemeFor,
  fitTitle,
  bindVolumeNumbers,
  coverLayoutFor,
  type CoverTheme,
  type CoverLayout,
  type TitleBox,
} from '#shared/cover-theme.ts'
import { initialOf } from '#shared/text.ts'

/*
 * Everything is measured in cqw, hundredths of the cover's own width, so one drawing serves a
 * thumbnail and a page. The cover is 100 by 150.
 */
type Drawn = { title: string; author: string; theme: CoverTheme }

function Title({ title, box, className }: { title: string; box: TitleBox; className?: string }) {
  const whole = bindVolumeNumbers(title)
  const { size, lines } = fitTitle(whole, box)
  return (
    <span
      dir="auto"
      className={classNames(
        'overflow-hidden font-serif leading-[1.12] font-medium tracking-[-0.01em] text-balance [-webkit-box-orient:vertical] [display:-webkit-box] [overflow-wrap:anywhere]',
        className,
      )}
      style={{ fontSize: `${size}cqw`, WebkitLineClamp: lines }}
    >
      {whole}
    </span>
  )
}

function Author({ author, className }: { author: string; className?: string }) {
  if (!author) return null
  return (
    <span
      dir="auto"
      className={classNames(
        'line-clamp-2 text-[6.4cqw] leading-[1.25] font-medium @max-[5rem]:hidden',
        className,
      )}
    >
      {author}
    </span>
  )
}

const drawings: Record<CoverLayout, (book: Drawn) => ReactNode> = {
  label: ({ title, author, theme }) => (
    <span className="absolute inset-x-[11cqw] top-[17cqw] grid justify-items-center gap-[4.5cqw] bg-[#f6efde] px-[7cqw] py-[10cqw] text-center text-[#2a2118]">
      <span className="absolute inset-[2.2cqw] border" style={{ borderColor: theme.shade }} />
      <Title title={title} box={{ width: 62, height: 70, largest: 14.5 }} />
      {author ? <span className="h-px w-[14cqw]" style={{ background: theme.shade }} /> : null}
      <Author author={author} />
    </span>
  ),
  frame: ({ title, author }) => (
    <>
      <span className="absolute inset-[6.5cqw] border border-current opacity-80" />
      <span className="absolute inset-[9cqw] border border-current opacity-40" />
      <span className="absolute inset-x-[14cqw] inset-y-[16cqw] flex flex-col items-center justify-between text-center">
        <span className="grid flex-1 place-items-center">
          <Title title={title} box={{ width: 70, height: 94 }} />
        </span>
        <Author author={author} />
      </span>
    </>
  ),
  band: ({ title, author, theme }) => (
    <>
      <span
        className="absolute inset-x-0 top-[30cqw] grid min-h-[62cqw] content-center justify-items-center border-y-[0.8cqw] border-current px-[9cqw] py-[7cqw] text-center"
        style={{ background: theme.shade }}
      >
        <Title title={title} box={{ width: 80, height: 68 }} />
      </span>
      <Author author={author} className="absolute inset-x-[9cqw] bottom-[12cqw] text-center" />
    </>
  ),
  modern: ({ title, author }) => (
    <span className="absolute inset-[10cqw] flex flex-col gap-[6cqw]">
      <Title title={title} box={{ width: 78, height: 96 }} />
      <span className="h-[1.4cqw] w-[18cqw] shrink-0 bg-current" />
      <Author author={author} />
    </span>
  ),
  column: ({ title, author, theme }) => (
    <>
      <span className="absolute inset-y-0 start-0 w-[19cqw]" style={{ background: theme.shade }} />
      <span className="absolute inset-y-0 start-[19cqw] w-[0.8cqw] bg-current opacity-70" />
      <span className="absolute start-[27cqw] end-[7cqw] inset-y-[10cqw] flex flex-col justify-between">
        <Author author={author} />
        <Title title={title} box={{ width: 64, height: 104, largest: 17 }} className="mt-auto" />
      </span>
    </>
  ),
  initial: ({ title, author }) => (
    <>
      <span className="absolute inset-x-0 top-[3cqw] text-center font-serif text-[78cqw] leading-none font-light opacity-30">
        {initialOf(title)}
      </span>
      <span className="absolute inset-x-[9cqw] bottom-[10cqw] grid justify-items-center gap-[3.5cqw] text-center">
        <Title title={title} box={{ width: 80, height: 50, largest: 14.5 }} />
        <Author author={author} />
      </span>
    </>
  ),
  sun: ({ title, author, theme }) => (
    <>
      <svg viewBox="0 0 100 150" className="absolute inset-0 size-full">
        <circle cx="66" cy="40" r="25" fill={theme.foil} opacity="0.9" />
        <path d="M0 58 Q 26 42 52 55 T 100 50 V 150 H 0 Z" fill={theme.shade} />
        <path d="M0 58 Q 26 42 52 55 T 100 50" fill="none" stroke={theme.foil} strokeWidth="0.7" />
      </svg>
      <span className="absolute inset-x-[10cqw] top-[68cqw] bottom-[9cqw] flex flex-col justify-between gap-[3cqw]">
        <Title title={title} box={{ width: 78, height: 52, largest: 17 }} />
        <Author author={author} />
      </span>
    </>
  ),
  lines: ({ title, author }) => (
    <>
      <svg viewBox="0 0 100 150" className="absolute inset-0 size-full">
        {[40, 35, 30, 25, 20, 15, 10, 5].map((radius) => (
          <path
            key={radius}
            d={`M${50 - radius} 0 V26 A${radius} ${radius} 0 0 0 ${50 + radius} 26 V0`}
            fill="none"
            stroke="currentColor"
            strokeWidth="0.8"
            opacity="0.75"
          />
        ))}
      </svg>
      <span className="absolute inset-x-[10cqw] bottom-[10cqw] grid gap-[4cqw]">
        <Title title={title} box={{ width: 78, height: 48, largest: 17 }} />
        <Author author={author} />
      </span>
    </>
  ),
}

type TypographicCoverProps = {
  title: string
  author?: string | undefined
}

/** Fills its 2:3 box; decoration to a screen reader, which is given the cover's name outside. */
export function TypographicCover({ title, author = '' }: TypographicCoverProps) {
  const theme = coverThemeFor(title, author)
  const draw = drawings[coverLayoutFor(title, author)]
  return (
    <span
      aria-hidden
      dir="ltr"
      className="@container absolute inset-0 block overflow-hidden"
      style={{ background: theme.ground, color: theme.foil }}
    >
      {draw({ title, author, theme })}
      {/* The hinge: what makes a rectangle a bound book. */}
      <span className="absolute inset-y-0 start-0 w-[5cqw] bg-linear-to-r from-black/20 via-white/10 to-black/15" />
    </span>
  )
}
