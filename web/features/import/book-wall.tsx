import type { ImportedSpine } from '#web/api/imports.ts'
import { buildWall, shelvesFor, wallShapes, type WallShape } from './wall.ts'

/**
 * Books as spines on shelves, from one edge of the screen to the other; decoration.
 *
 * @param props.count how many books there will be, to leave room for them
 */
export function BookWall({ books, count }: { books: readonly ImportedSpine[]; count: number }) {
  return (
    <div aria-hidden className="w-full overflow-hidden">
      <div className="max-md:hidden">
        <Shelves books={books} count={count} shape={wallShapes.wide} />
      </div>
      <div className="md:hidden">
        <Shelves books={books} count={count} shape={wallShapes.narrow} />
      </div>
    </div>
  )
}

function Shelves(props: { books: readonly ImportedSpine[]; count: number; shape: WallShape }) {
  const { books, count, shape } = props
  const wall = buildWall(books, shape)
  const height = Math.max(wall.height, shelvesFor(count, shape) * shape.pitch)
  return (
    <div dir="ltr" className="relative" style={{ height }}>
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        <path d={wall.boards} className="fill-line" />
        {wall.spines.map(({ colour, path }) => (
          <path key={colour} d={path} fill={colour} />
        ))}
        <path d={wall.stripes} className="stroke-white/35" vectorEffect="non-scaling-stroke" />
      </svg>
      {wall.years.map(({ year, x, y }) => (
        <span
          key={year}
          className="absolute rounded-sm bg-raised px-1 text-xs font-medium text-ink-soft tabular-nums max-md:hidden"
          style={{ insetInlineStart: `${Math.min(x, 96)}%`, top: y }}
        >
          {year}
        </span>
      ))}
    </div>
  )
}
