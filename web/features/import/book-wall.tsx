import type { ImportedSpine } from '#web/api/imports.ts'
import { Container } from '#web/ui/page-shell.tsx'
import {
  buildWall,
  fewShapes,
  fitsOneShelf,
  shelvesFor,
  wallShapes,
  type WallShape,
} from './wall.ts'

/**
 * Books as spines on shelves, from one edge of the screen to the other, or on a shelf in the page if
 * they are few; decoration.
 *
 * @param props.count how many books there will be, to leave room for them
 */
export function BookWall({ books, count }: { books: readonly ImportedSpine[]; count: number }) {
  return (
    <div aria-hidden className="w-full overflow-hidden">
      <div className="max-md:hidden">
        <WallOf books={books} count={count} kind="wide" />
      </div>
      <div className="md:hidden">
        <WallOf books={books} count={count} kind="narrow" />
      </div>
    </div>
  )
}

function WallOf(props: {
  books: readonly ImportedSpine[]
  count: number
  kind: keyof typeof wallShapes
}) {
  const { kind, ...rest } = props
  if (!fitsOneShelf(rest.count, fewShapes[kind]))
    return <Shelves {...rest} shape={wallShapes[kind]} />
  return (
    <Container>
      <Shelves {...rest} shape={fewShapes[kind]} />
    </Container>
  )
}

function Shelves(props: { books: readonly ImportedSpine[]; count: number; shape: WallShape }) {
  const { books, count, shape } = props
  const wall = buildWall(books, shape, count)
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
