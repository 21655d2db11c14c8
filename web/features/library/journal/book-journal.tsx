import { useState } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/readings.ts'
import { BookNotes } from './book-notes.tsx'
import { BookQuotes } from './book-quotes.tsx'
import { BookReadings } from './book-readings.tsx'
import { JournalSection } from './journal-section.tsx'
import { hasPersonalDetails, PersonalDetails } from './personal-details.tsx'

/**
 * All a reader knows about a book whichever shelf it is on: when they read it, tags, note, review
 * and quotes. Each is saved by itself. Others see what is not the owner's alone, and change nothing.
 */
export default function BookJournal(props: {
  book: UserBook
  isOwner: boolean
  /** The owner's review stands elsewhere on the page. */
  isReviewShown?: boolean
}) {
  const { book: given, isOwner, isReviewShown = false } = props
  // A sheet shows the book as it was when it was opened.
  const [saved, setSaved] = useState<UserBook>()
  // A note alone leaves `updated` as it was.
  const book = saved && saved.updated >= given.updated ? saved : given
  return (
    <div className="grid grid-cols-1 gap-8 text-ink">
      {isOwner ? (
        <BookNotes book={book} isReviewShown={isReviewShown} onSaved={setSaved} />
      ) : hasPersonalDetails(book) ? (
        <JournalSection title={t('tagsAndReview')}>
          <PersonalDetails book={book} isOwner={false} />
        </JournalSection>
      ) : null}
      <BookReadings book={book} isOwner={isOwner} />
      <BookQuotes book={book} isOwner={isOwner} />
    </div>
  )
}
