import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useState, type SubmitEvent } from 'react'
import type { Book } from '#shared/book.ts'
import { hasWrongDigit, parseIsbn, toIsbn13 } from '#shared/isbn.ts'
import { searchForm, searchOrTitleForm } from '#shared/search-form.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { searchQuery } from '#web/api/search.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { isShortTitle } from '#web/api/short-title.ts'
import { t } from '#web/i18n/library.ts'
import { issueMessage } from '#web/i18n/rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { editionOf } from '../add-to-shelf/add-to-shelf-book.ts'
import { withCommas } from '#web/i18n/format.ts'
import { ScriptButton } from '#web/ui/script-button.tsx'

/** Found books that are offered to choose from. */
const max = 5

/** Takes what the catalogue knows of a book, by ISBN or title, so that less is to be typed. */
export function Prefill({ onPick }: { onPick: (book: Book) => void }) {
  const api = useApi()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [isPending, setPending] = useState(false)
  const [found, setFound] = useState<Book[]>([])
  const [problem, setProblem] = useState<string>()

  async function find(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    if (isPending) return
    setPending(true)
    const answer = await look(api, queries, text)
    setPending(false)
    setProblem('problem' in answer ? answer.problem : undefined)
    setFound('choice' in answer ? answer.choice : [])
    if ('book' in answer) onPick(answer.book)
  }

  return (
    <div className="mb-3 grid gap-1">
      <form noValidate className="flex items-start gap-2" onSubmit={(event) => void find(event)}>
        <TextField
          label={t('fillInFromCatalogue')}
          placeholder={t('isbnOrTitle')}
          autoComplete="off"
          className="min-w-0 flex-1"
          error={problem}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" className="mt-[1.625rem] min-h-11" pending={isPending}>
          {t('find')}
        </Button>
      </form>
      {found.length > 0 ? (
        <ul aria-label={t('foundInTheCatalogue')} className="-mt-1 grid gap-1">
          {found.map((book) => (
            <li key={book.id}>
              <ScriptButton
                className="flex min-h-14 w-full items-center gap-3 rounded-md border border-line bg-surface px-3 py-2 text-start text-sm hover:border-line-strong"
                onClick={() => {
                  setFound([])
                  onPick(book)
                }}
              >
                <span className="w-7 shrink-0">
                  <Cover
                    title={book.title}
                    author={book.authors[0]}
                    src={book.image_links[0]}
                    alt=""
                  />
                </span>
                <span className="grid min-w-0">
                  <bdi className="truncate font-medium">{book.title}</bdi>
                  <bdi className="truncate text-ink-soft">{editionText(book)}</bdi>
                </span>
              </ScriptButton>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

type Answer = { book: Book } | { choice: Book[] } | { problem: string }

/** One book for an ISBN, several for a title, or the reason why there is none. */
async function look(api: PocketBase, queries: QueryClient, text: string): Promise<Answer> {
  try {
    const isbn = toIsbn13(parseIsbn(text) ?? '')
    if (isbn) {
      const book = await queries.query(bookQuery(api, isbn))
      return book ? { book: editionOf(book, isbn) } : { problem: t('notInCatalogue') }
    }
    if (hasWrongDigit(text)) return { problem: t('oneDigitIsWrong') }
    const isTitle = await isShortTitle(api, text.trim())
    const form = (isTitle ? searchOrTitleForm : searchForm).safeParse({ q: text })
    if (!form.success) return { problem: issueMessage(form.error.issues[0]!) }
    const { pages } = await queries.infiniteQuery(searchQuery(api, form.data))
    const books = pages[0]?.books.slice(0, max) ?? []
    return books.length > 0 ? { choice: books } : { problem: t('notInCatalogue') }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

function editionText({ authors, published_date, publisher, page_count }: Book): string {
  const pages = page_count > 0 ? t('pageCount', { count: page_count }) : ''
  const year = published_date.slice(0, 4)
  return [withCommas(authors), publisher, year, pages].filter(Boolean).join(' · ')
}
