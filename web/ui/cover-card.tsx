import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { CoverObject, Ribbon } from './cover-marks.tsx'
import { Cover, type CoverProps } from './cover.tsx'
import type { StatusName } from './status-badge.tsx'

type CoverCardProps = Omit<CoverProps, 'alt' | 'className'> & {
  /** The empty link to the book: `<Link to={...} />`; the card fills it and makes itself its target. */
  link: ReactElement<{ className?: string; children?: ReactNode }>
  /** A button at the end of the author's line, so that the cover stays clear. */
  action?: ReactNode
  /** The reader's own status, shown as a ribbon on the cover. */
  status?: StatusName | undefined
  /** Drawn as an empty place on the shelf. */
  isMissing?: boolean | undefined
  /** Under the author: progress, status, rating. */
  footer?: ReactNode
  className?: string | undefined
}

export function CoverCard(props: CoverCardProps) {
  const { link, action, status, isMissing, footer, className, ...cover } = props
  return (
    <article
      className={classNames(
        'group/card relative grid min-w-0 grid-cols-1 content-start gap-2',
        className,
      )}
    >
      <CoverObject>
        <span
          className={classNames(
            'block rounded-cover',
            isMissing && 'outline-[1.5px] outline-line-strong outline-dashed',
          )}
        >
          <Cover {...cover} alt="" className={isMissing ? 'opacity-45' : undefined} />
        </span>
        {status ? <Ribbon status={status} /> : null}
      </CoverObject>
      <div className="min-w-0">
        <h3 className="line-clamp-2 text-base leading-5 font-medium hyphens-auto wrap-anywhere">
          {cloneElement(link, {
            className:
              'after:absolute after:inset-0 after:rounded-md hover:underline hover:decoration-line-strong hover:underline-offset-4',
            children: <bdi>{cover.title}</bdi>,
          })}
        </h3>
        {cover.author || action ? (
          <div className="mt-1 flex min-h-5 items-center gap-1">
            <p className="line-clamp-1 min-w-0 flex-1 text-sm text-ink-soft" title={cover.author}>
              <bdi>{cover.author}</bdi>
            </p>
            {action}
          </div>
        ) : null}
        {footer ? <div className="relative mt-1.5">{footer}</div> : null}
      </div>
    </article>
  )
}
