import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Book } from '#shared/book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { addBook, createShelf, refreshLibrary, shelfNamesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { recordOf } from '#web/features/library/add-to-shelf/add-to-shelf-book.ts'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { t } from '#web/i18n/welcome.ts'

/** A book that a new reader says they are reading. */
export interface PickedBook {
  book: Book
  /** As typed; empty where they did not say. */
  page: string
  error?: string
}

/** The answer to "What are you reading now?" until it is sent. */
export type FirstShelf = ReturnType<typeof useFirstShelf>

/**
 * Collects books and puts them on a shelf of their own, each with its page. What could not be put
 * there stays, with the reason at its field; what was put there is not put there again.
 *
 * @param onDone told how many there were, once all of them are there
 */
export function useFirstShelf(onDone: (count: number) => Promise<void>) {
  const api = useApi()
  const queries = useQueryClient()
  const user = useSession()?.user.id ?? ''
  const [picks, setPicks] = useState<PickedBook[]>([])
  const [isPrivate, setPrivate] = useState(false)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [refusals, setRefusals] = useState(0)
  const added = useRef(0)

  const change = (id: string, edit: (pick: PickedBook) => PickedBook) =>
    setPicks((now) => now.map((one) => (one.book.id === id ? edit(one) : one)))
  const drop = (id: string) => setPicks((now) => now.filter(({ book }) => book.id !== id))

  async function findShelf(): Promise<string> {
    const names = shelfNamesQuery(api, user)
    const shelves = await queries.query({ ...names, staleTime: 0 })
    const name = t('readingNow')
    const visibility = isPrivate ? 'private' : 'public'
    // One of that name that others see is not where these were to go.
    const found = shelves.find((one) => one.name === name && one.visibility === visibility)
    if (found) return found.id
    return (await createShelf(api, { name, visibility })).id
  }

  async function put({ book, page }: PickedBook, shelf: string): Promise<boolean> {
    try {
      const record = recordOf(book, { shelf, status: 'reading' })
      await addBook(api, { ...record, progress: Number(page) })
      drop(book.id)
      added.current += 1
      return true
    } catch (error) {
      const { progress } = fieldMessages(error)
      change(book.id, (pick) => ({ ...pick, error: progress ?? errorMessage(error) }))
      return false
    }
  }

  async function putAll(): Promise<boolean> {
    const shelf = await findShelf()
    let isDone = true
    for (const pick of picks) isDone = (await put(pick, shelf)) && isDone
    return isDone
  }

  const save = useSingleFlight(async () => {
    setPending(true)
    setProblem(undefined)
    try {
      if (await putAll()) await onDone(added.current)
      else setRefusals((so) => so + 1)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      refreshLibrary(queries)
      setPending(false)
    }
  })

  return {
    picks,
    isPrivate,
    setPrivate,
    isPending,
    problem,
    /** How many times some of the books could not be saved. */
    refusals,
    save,
    drop,
    pick: (book: Book) =>
      setPicks((now) =>
        now.some((one) => one.book.id === book.id) ? now : [...now, { book, page: '' }],
      ),
    setPage: (id: string, page: string) => change(id, ({ book }) => ({ book, page })),
  }
}
