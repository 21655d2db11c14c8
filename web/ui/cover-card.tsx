import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Cover, type CoverProps } from './cover.tsx'

type CoverCardProps = Omit<CoverProps, 'alt' | 'className'> & {
  /** The empty link to the book: `<Link to={...} />`; the card fills it and makes itself its target. */
  link: ReactElement<{ className?: string; children?: ReactNode }>
  /** A button on the cover: shown on hover and focus, always there where there is no hover. */
  action?: ReactNode
  /** Across the foot of the cover, always there: what the reader knows of the book. */
  ribbon?: ReactNode
  /** Under the author: progress, status, rating. */
  footer?: ReactNode
  className?: string | undefined
}

export function CoverCard({ link, action, ribbon, footer, className, ...cover }: CoverCardProps) {
  return (
    <article
      className={classNames(
        'group/card relative grid min-w-0 grid-cols-1 content-start gap-2',
        className,
      )}
    >
      <span className="col-start-1 row-start-1 transition-transform duration-200 group-hover/card:-translate-y-0.5">
        <Cover {...cover} alt="" />
      </span>
      <div className="col-start-1 row-start-2 min-w-0">
        <h3 className="line-clamp-2 text-base leading-5 font-medium hyphens-auto wrap-anywhere">
          {cloneElement(link, {
            className:
              'after:absolute after:inset-0 after:rounded-md hover:underline hover:decoration-line-strong hover:underline-offset-4',
            children: <bdi>{cover.title}</bdi>,
          })}
        </h3>
        {cover.author ? (
          <p className="mt-1 line-clamp-1 text-sm text-ink-soft">
            <bdi>{cover.author}</bdi>
          </p>
        ) : null}
        {footer ? <div className="relative mt-1.5">{footer}</div> : null}
      </div>
      {ribbon ? (
        <div className="z-10 col-start-1 row-start-1 self-end transition-transform duration-200 group-hover/card:-translate-y-0.5">
          {ribbon}
        </div>
      ) : null}
      {action ? (
        <div className="z-10 col-start-1 row-start-1 m-2 self-end justify-self-end opacity-0 transition-opacity group-focus-within/card:opacity-100 group-hover/card:opacity-100 [@media(hover:none)]:opacity-100">
          {action}
        </div>
      ) : null}
    </article>
  )
}
