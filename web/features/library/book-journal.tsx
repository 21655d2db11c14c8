import type { UserBook } from '#shared/user-book.ts'
import { PersonalDetails } from './personal-details.tsx'
import { BookQuotes } from './book-quotes.tsx'
import { BookReadings } from './book-readings.tsx'

/**
 * All a reader knows about a book whichever shelf it is on: when they read it, tags, note, review
 * and quotes. Each is saved by itself. Others see what is not the owner's alone, and change nothing.
 */
export default function BookJournal({ book, isOwner }: { book: UserBook; isOwner: boolean }) {
  return (
    <div className="grid grid-cols-1 gap-6 text-ink">
      <PersonalDetails book={book} isOwner={isOwner} />
      <BookReadings book={book} isOwner={isOwner} />
      <BookQuotes book={book} isOwner={isOwner} />
    </div>
  )
}
