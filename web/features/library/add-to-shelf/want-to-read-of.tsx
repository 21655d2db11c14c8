import type { UserBook } from '#shared/user-book.ts'
import { shelvable } from './add-to-shelf-book.ts'
import { useOwned } from './add-to-shelf-owned.tsx'
import { WantToReadIcons } from './add-to-shelf-want.tsx'

/** Want to read, for somebody else's book that the reader doesn't have. */
export default function WantToReadOf({ book }: { book: UserBook }) {
  const owned = useOwned(book)
  return owned ? null : <WantToReadIcons book={shelvable(book)} />
}
