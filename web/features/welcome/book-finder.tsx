import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useRef } from 'react'
import type { Book, SearchForm } from '#shared/book.ts'
import { displayWidth } from '#shared/text.ts'
import { externalQuery } from '#web/api/book-info.ts'
import { searchQuery } from '#web/api/search.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { AddBookByHand } from '#web/features/library/add-book/add-book-by-hand.tsx'
import { BookLine } from '#web/ui/book-line.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useDebouncedText } from '#web/ui/debounced-text.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useTypedEarly } from '#web/ui/typed-early.ts'
import { t } from '#web/i18n/welcome.ts'
import { ScriptButton } from '#web/ui/script-button.tsx'

/** Time after the last letter before books are looked for, in milliseconds. */
const debounce = 300

/** Fewer letters find nothing in Explore either. */
const fewestLetters = 3

/** The most results shown. */
const max = 6

const blank: Omit<SearchForm, 'q'> = {
  title: '',
  author: '',
  publisher: '',
  genre: '',
  isbn: '',
  by: '1',
  mode: 'words',
  order: 'relevance',
  page: 1,
  after: '',
}

/** Searches the catalogue while the reader types; one press picks a book. */
export function BookFinder(props: {
  label: string
  /** As typed. */
  text: string
  onText: (text: string) => void
  /** Ids of books that are not to be offered again. */
  picked: readonly string[]
  onPick: (book: Book) => void
  /** When one that is found nowhere was added in the reader's words. */
  onByHand: () => void
}) {
  const { label, text, onText, picked, onPick, onByHand } = props
  const asked = useDebouncedText(text.trim(), debounce)
  const field = useRef<HTMLInputElement>(null)
  useTypedEarly(field, 'value', text, onText)
  const { books, isPending, error, refetch } = useFound(asked)
  const offered = books.filter(({ id }) => !picked.includes(id)).slice(0, max)

  function pick(book: Book): void {
    onPick(book)
    onText('')
  }

  return (
    <search className="grid gap-2">
      <TextField
        ref={field}
        label={label}
        type="search"
        // The browser's own clear button is blue, and phones have none.
        className="[&_input::-webkit-search-cancel-button]:hidden"
        icon={<Search />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={255}
        hint={
          text.trim() && displayWidth(text.trim()) < fewestLetters ? t('keepTyping') : undefined
        }
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {isPending ? (
        <SkeletonGroup
          count={3}
          of={RowSkeleton}
          label={t('lookingForIt')}
          className="grid gap-2"
        />
      ) : null}
      {error ? (
        <ErrorState title={t('dataError')} message={errorMessage(error)} onRetry={refetch} />
      ) : null}
      <output className="sr-only">
        {asked && !isPending ? t('booksFound', { count: offered.length }) : ''}
      </output>
      {offered.length > 0 ? (
        <ul aria-label={t('foundBooks')} className="grid gap-1">
          {offered.map((book) => (
            <li key={book.id}>
              <FoundRow book={book} onPick={() => pick(book)} />
            </li>
          ))}
        </ul>
      ) : null}
      {isNothing(asked, { isPending, error, count: offered.length }) ? (
        <div className="grid justify-items-start gap-3">
          <p className="text-sm text-ink-soft">{t('noBooksFound')}</p>
          <AddBookByHand text={asked} onAdded={onByHand} />
        </div>
      ) : null}
    </search>
  )
}

const isNothing = (
  asked: string,
  { isPending, error, count }: { isPending: boolean; error: unknown; count: number },
) => displayWidth(asked) >= fewestLetters && !isPending && !error && count === 0

function FoundRow({ book, onPick }: { book: Book; onPick: () => void }) {
  const { title, authors, image_links, published_date } = book
  return (
    <ScriptButton
      onClick={onPick}
      className="flex min-h-16 w-full items-center gap-4 rounded-md px-2 py-1.5 text-start transition-colors hover:bg-sunken"
    >
      <BookLine
        large
        title={title}
        authors={authors}
        images={image_links}
        year={published_date.slice(0, 4)}
      />
    </ScriptButton>
  )
}

function RowSkeleton() {
  return <Skeleton className="h-16 w-full rounded-md" />
}

/** Our own catalogue's results at once; if there are few, other catalogues' too. */
function useFound(asked: string) {
  const api = useApi()
  const form: SearchForm = { ...blank, q: asked }
  const enabled = displayWidth(asked) >= fewestLetters
  const known = useInfiniteQuery({ ...searchQuery(api, form), enabled })
  const books = known.data?.pages[0]?.books ?? []
  const outside = useQuery({
    ...externalQuery(api, form),
    enabled: enabled && known.isSuccess && books.length < max,
  })
  return {
    books: enabled ? books : [],
    isPending: enabled && (known.isPending || (books.length === 0 && outside.isLoading)),
    error: enabled ? known.error : null,
    refetch: () => void known.refetch(),
  }
}
