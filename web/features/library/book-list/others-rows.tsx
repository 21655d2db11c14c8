import { OwnedBooks } from '../add-to-shelf/add-to-shelf-owned.tsx'
import { Rows, type RowsProps } from './book-pages.tsx'

/** Somebody else's books, with which of them the reader has. */
export default function OthersRows(props: RowsProps) {
  return <Rows {...props} Frame={OwnedBooks} />
}
