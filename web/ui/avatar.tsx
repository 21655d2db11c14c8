import { useCallback, useState } from 'react'
import { initialOf } from '#shared/text.ts'
import { avatarColour } from './avatar-colour.ts'
import { classNames } from './class-names.ts'

const sizes = {
  sm: { box: 'size-8 text-sm', pixels: 32 },
  md: { box: 'size-11 text-lg', pixels: 44 },
  xl: { box: 'size-24 text-3xl md:size-28', pixels: 112 },
}

type AvatarProps = {
  name: string
  src?: string | null | undefined
  size?: keyof typeof sizes | undefined
  className?: string | undefined
}

/** Decoration: the name is next to it. */
export function Avatar({ name, src, size = 'md', className }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const judge = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) setBroken(image.getAttribute('src'))
  }, [])
  const { box, pixels } = sizes[size]
  const drawn = !src || broken === src
  return (
    <span
      className={classNames(
        'relative inline-grid shrink-0 place-items-center overflow-hidden rounded-full font-serif font-medium text-white select-none',
        box,
        className,
      )}
      style={{ background: avatarColour(name) }}
    >
      {drawn ? (
        <span aria-hidden>{initialOf(name) || '?'}</span>
      ) : (
        <img
          ref={judge}
          src={src}
          alt=""
          width={pixels}
          height={pixels}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(src)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  )
}
