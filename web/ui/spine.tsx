import {
  cloneElement,
  type ComponentProps,
  type CSSProperties,
  type ReactElement,
  type ReactNode,
} from 'react'
import { classNames } from './class-names.ts'
import { coverThemeFor, bindVolumeNumbers } from '#shared/cover-theme.ts'
import { spineHeight, spineThickness } from '#shared/spine.ts'
import { displayWidth } from '#shared/text.ts'
import { t } from '#web/i18n/shell.ts'

/**
 * Of the list of `Spine`s: books standing on boards. Each draws the board from its own foot to the
 * end of the row and past it, so what is around the list cuts it off.
 */
export const spineShelfClass = classNames(
  'flex flex-wrap gap-y-8 [&>li]:relative [&>li]:flex [&>li]:items-end',
  '[&>li]:after:absolute [&>li]:after:start-0 [&>li]:after:top-full [&>li]:after:h-1.5 [&>li]:after:w-screen [&>li]:after:bg-line [&>li]:after:shadow-[0_1px_0_var(--line-strong)]',
)

/** Characters that still fit at full size. */
const longTitle = 18

type SpineProps = {
  title: string
  author?: string | undefined
  pages?: number | undefined
  /** The empty link to the book; the spine fills it. */
  link: ReactElement<{
    dir?: string
    className?: string
    style?: CSSProperties
    children?: ReactNode
  }>
  /** Attributes of the `li` that depend on its position. */
  item?: ComponentProps<'li'> | undefined
}

export function Spine({ title, author = '', pages = 0, link, item }: SpineProps) {
  const theme = coverThemeFor(title, author)
  return (
    <li {...item}>
      {cloneElement(link, {
        // The title comes first in either direction of the page.
        dir: 'ltr',
        className: classNames(
          'relative flex items-center justify-between gap-2 rounded-t-cover pt-4 pr-1 pb-4 pl-1 pointer-coarse:min-w-11 [writing-mode:vertical-rl]',
          'transition-transform hover:-translate-y-1.5 focus-visible:-translate-y-1.5',
        ),
        style: {
          width: spineThickness(pages),
          height: spineHeight(title),
          color: theme.foil,
          background: `linear-gradient(to right, ${theme.shade}, ${theme.ground} 30%, ${theme.ground} 70%, ${theme.shade})`,
        },
        children: (
          <>
            <span
              aria-hidden
              className="absolute top-2.5 right-0 left-0 h-px bg-current opacity-50"
            />
            <span
              aria-hidden
              className="absolute right-0 bottom-2.5 left-0 h-px bg-current opacity-50"
            />
            {/*
             * Either script begins at the head, and its own direction orders its words. Two lines are
             * shown by their width: `line-clamp` lays vertical text out flat in WebKit.
             */}
            <span
              className={classNames(
                'max-w-[2.2em] min-h-0 flex-1 overflow-hidden text-left font-serif leading-[1.15] font-medium wrap-anywhere [unicode-bidi:plaintext]',
                displayWidth(title) > longTitle ? 'text-xs' : 'text-sm',
              )}
            >
              {bindVolumeNumbers(title)}
            </span>
            {author ? <span className="sr-only"> {t('by')} </span> : null}
            {author ? (
              <span className="max-h-[4.25rem] truncate text-left text-[0.625rem] opacity-90 [unicode-bidi:plaintext]">
                {author}
              </span>
            ) : null}
          </>
        ),
      })}
    </li>
  )
}
