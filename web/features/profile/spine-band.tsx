import { coverThemeFor } from '#shared/cover-theme.ts'
import { spineHeight, spineThickness } from '#shared/spine.ts'
import type { SpineBook } from '#web/api/profile.ts'

/** A reader's books as spines, in place of a picture; decoration. */
export default function SpineBand({ books }: { books: readonly SpineBook[] }) {
  return (
    <div
      aria-hidden
      className="flex h-28 items-end justify-center gap-px overflow-hidden border-b-4 border-line-strong/60 bg-sunken md:h-48"
    >
      {books.map(({ id, title, authors, page_count }) => {
        const { ground, shade, foil } = coverThemeFor(title, authors[0] ?? '')
        return (
          <span
            key={id}
            className="relative shrink-0 rounded-t-cover"
            style={{
              width: spineThickness(page_count),
              height: `${(spineHeight(title) / 260) * 100}%`,
              color: foil,
              background: `linear-gradient(to right, ${shade}, ${ground} 30%, ${ground} 70%, ${shade})`,
            }}
          >
            <span className="absolute inset-x-0 top-[12%] h-px bg-current opacity-60" />
            <span className="absolute inset-x-0 top-[16%] h-px bg-current opacity-40" />
            <span className="absolute inset-x-0 bottom-[12%] h-px bg-current opacity-60" />
          </span>
        )
      })}
    </div>
  )
}
