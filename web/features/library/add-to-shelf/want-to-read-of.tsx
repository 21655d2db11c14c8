import type { UserBook } from '#shared/user-book.ts'
import { shelvable } from './add-to-shelf-book.ts'
import { useOwned } from './add-to-shelf-owned.tsx'
import { WantToReadIcons } from './add-to-shelf-want.tsx'

/** Beside somebody else's book, for a reader who doesn't have it. */
export default function WantToReadOf({ book }: { book: UserBook }) {
  const owned = useOwned(book)
  return owned ? null : <WantToReadIcons book={shelvable(book)} />
}
