import { spineThickness } from '#shared/spine.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Spine, spineShelfClass } from '#web/ui/spine.tsx'
import { useBookEditor } from '../book-editor/book-editor-host.tsx'
import { BookLink } from '../book-list/book-link.tsx'
import { BookPages, type ItemProps } from '../book-list/book-pages.tsx'
import type { ShelfBooksProps } from './shelf-books.tsx'
import { ScriptButton } from '#web/ui/script-button.tsx'

/** A spine has no room for a button: its owner's tap opens the editor, anybody else's the book. */
export default function Spines({ source, isOwner, empty }: ShelfBooksProps) {
  return (
    <div className="overflow-x-clip -mx-1 px-1">
      <BookPages
        source={source}
        empty={empty}
        skeleton={
          <SkeletonGroup
            count={8}
            of={SpineSkeleton}
            label={t('loadingBooks')}
            className="flex flex-wrap items-end gap-1"
          />
        }
        layout={{
          label: t('booksOnThisShelf'),
          className: spineShelfClass,
          estimateHeight: () => 244,
          overscan: 2,
          width: ({ page_count }) => spineWidth(page_count),
          placeholder: <SpineSkeleton />,
        }}
      >
        {(book, item) => {
          const { id, title, authors, page_count } = book
          const spine = { title, author: authors[0], pages: page_count, item }
          return isOwner ? (
            <OwnSpine key={id} book={book} {...spine} />
          ) : (
            <Spine key={id} {...spine} link={<BookLink book={book} title={title} />} />
          )
        }}
      </BookPages>
    </div>
  )
}

/** Under a finger a spine is never thinner than one; pixels. */
function spineWidth(pages: number): number {
  const isCoarse = typeof window !== 'undefined' && matchMedia('(pointer: coarse)').matches
  return Math.max(isCoarse ? 44 : 0, spineThickness(pages))
}

function OwnSpine(props: {
  book: UserBook
  title: string
  author: string | undefined
  pages: number
  item: ItemProps
}) {
  const { book, ...spine } = props
  const editButton = useBookEditor({ book })
  return <Spine {...spine} link={<ScriptButton title={spine.title} {...editButton} />} />
}

function SpineSkeleton() {
  return <Skeleton className="h-56 w-14" />
}
