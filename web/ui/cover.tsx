import { useCallback, useState } from 'react'
import { coverColour } from '#shared/cover-theme.ts'
import { coverPath } from '#shared/cover.ts'
import { classNames } from './class-names.ts'
import { TypographicCover } from './typographic-cover.tsx'
import { t } from '#web/i18n/shell.ts'

export type CoverProps = {
  title: string
  author?: string | undefined
  /**
   * Addresses of the picture, best first. One that this server cannot hand out, or that is broken,
   * gives the drawn cover: no other site is asked by a reader's browser.
   */
  src?: string | readonly string[] | null | undefined
  /** 350 pixels by default; dense screens get twice as many. */
  width?: 350 | 500 | undefined
  /** First row of a page: loaded at once and with high priority. Everything else loads lazily. */
  priority?: boolean | undefined
  /** '' if the title is next to it; 'Cover of …' by default. */
  alt?: string | undefined
  /** View transition name of the cover, unique on the page. */
  transitionName?: string | undefined
  className?: string | undefined
}

/** Some catalogues answer "no picture" with a single pixel. */
const tooSmall = 4

/** A cover's width in heights, and how far a picture's may be from it before too much is cut off. */
const shape = 2 / 3
const tolerance = 0.12

/** @returns whether a picture is too square, too long or lies: then it is shown whole */
function isOddShape({ naturalWidth, naturalHeight }: HTMLImageElement): boolean {
  return Math.abs(naturalWidth / naturalHeight / shape - 1) > tolerance
}

export function Cover(props: CoverProps) {
  const { title, author, width = 350, priority = false, transitionName, className } = props
  const links = typeof props.src === 'string' ? [props.src] : (props.src ?? [])
  const src = coverPath(links, { title, author }, width)
  const dense = coverPath(links, { title, author }, width === 350 ? 700 : 1000)
  const alt = props.alt ?? (author ? t('coverOfBy', { title, author }) : t('coverOf', { title }))
  const [broken, setBroken] = useState<string | null>(null)
  const drawn = !src || broken === src
  const [odd, setOdd] = useState<string | null>(null)
  const isOdd = odd === src

  const judge = useCallback((image: HTMLImageElement | null) => {
    // A picture that failed before this script ran sends no event any more.
    if (!image?.complete) return
    const address = image.getAttribute('src')
    if (image.naturalWidth < tooSmall) setBroken(address)
    else setOdd(isOddShape(image) ? address : null)
  }, [])

  return (
    <span
      {...(drawn && alt ? { role: 'img', 'aria-label': alt } : {})}
      className={classNames(
        'relative block aspect-2/3 w-full overflow-hidden rounded-cover shadow-cover',
        className,
      )}
      style={{
        background: coverColour(title, author),
        ...(transitionName ? { viewTransitionName: transitionName } : {}),
      }}
    >
      {drawn ? (
        <TypographicCover title={title} author={author} />
      ) : (
        <>
          {isOdd ? (
            <img
              src={src}
              alt=""
              className="absolute inset-0 size-full scale-[1.36] object-cover blur-md brightness-95"
            />
          ) : null}
          <img
            ref={judge}
            src={src}
            srcSet={dense === src ? undefined : `${src} 1x, ${dense} 2x`}
            alt={alt}
            width={200}
            height={300}
            loading={priority ? 'eager' : 'lazy'}
            fetchPriority={priority ? 'high' : 'auto'}
            decoding={priority ? 'auto' : 'async'}
            onError={() => setBroken(src)}
            onLoad={(event) => judge(event.currentTarget)}
            className={classNames(
              'absolute inset-0 size-full',
              isOdd ? 'object-contain' : 'object-cover',
            )}
          />
          {/* The hinge that drawn covers have. */}
          <span
            aria-hidden
            className="absolute inset-y-0 start-0 w-[5%] bg-linear-to-r from-black/20 via-white/10 to-black/15 rtl:bg-linear-to-l"
          />
        </>
      )}
      <span
        aria-hidden
        className="pointer-events-none absolute inset-0 rounded-cover inset-ring inset-ring-cover-edge"
      />
    </span>
  )
}
