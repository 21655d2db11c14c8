import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Cover } from './cover.tsx'
import { withCommas } from '#web/i18n/format.ts'

/** A book in one line of a list: cover, title, authors and year; `end` goes at the end. */
export function BookLine(props: {
  title: string
  authors: readonly string[]
  images: readonly string[]
  /** '' when it is not known. */
  year?: string
  /** Whether there is room for a larger cover and larger text. */
  large?: boolean
  end?: ReactNode
}) {
  const { title, authors, images, year = '', large = false, end } = props
  return (
    <>
      <span className={classNames('shrink-0', large ? 'w-9' : 'w-8')}>
        <Cover title={title} author={authors[0]} src={images} alt="" />
      </span>
      <span className={classNames('grid min-w-0 flex-1', large && 'gap-0.5')}>
        <bdi className={classNames('line-clamp-2 font-medium wrap-anywhere', large && 'leading-5')}>
          {title}
        </bdi>
        <span className={classNames('line-clamp-1 text-ink-soft', large ? 'text-sm' : 'text-xs')}>
          <bdi>{withCommas(authors)}</bdi>
          {year ? `${authors.length > 0 ? ' · ' : ''}${year}` : ''}
        </span>
      </span>
      {end}
    </>
  )
}
