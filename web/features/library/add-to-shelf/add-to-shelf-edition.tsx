import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { isbnOf, type Book } from '#shared/book.ts'
import { isbnPath } from '#shared/book-path.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { changeEdition } from '#web/api/edition.ts'
import { errorMessage } from '#web/api/errors.ts'
import { copiesQuery } from '#web/api/library.ts'
import { Button } from '#web/ui/button.tsx'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { t } from '#web/i18n/works.ts'
import { undoOptions, useRefreshLibrary } from '../trash/undo.ts'

/**
 * Makes a reader's book another edition, on all of its shelves.
 *
 * @param props.mine a record of the edition that they have
 * @param props.facts what tells the edition from others
 */
export function EditionButton(props: { mine: UserBook; edition: Book; facts: string }) {
  const { mine, edition, facts } = props
  const api = useApi()
  const queries = useQueryClient()
  const refresh = useRefreshLibrary()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const isbn = isbnOf(edition)
  const change = useMutation({
    mutationFn: async () => {
      const query = copiesQuery(api, mine.user, mine.isbn)
      const copies = await queries.fetchQuery({ ...query, staleTime: 0 })
      return changeEdition(api, copies, edition)
    },
    onSuccess: async (takeBack) => {
      refresh()
      await navigate(isbnPath({ title: edition.title, isbn }) ?? pathname)
      const undo = async () => {
        try {
          await takeBack()
          await navigate(pathname)
        } catch (error) {
          showError(errorMessage(error))
        } finally {
          refresh()
        }
      }
      const toast = await fetchToast()
      toast.success(
        t('editionChanged'),
        undoOptions(() => void undo()),
      )
    },
    onError: (error) => showError(errorMessage(error)),
  })
  return (
    <Button
      size="sm"
      className="relative z-10 shrink-0"
      aria-label={t('thisIsMineOf', {
        edition: facts.includes(isbn) ? facts : `${isbn}, ${facts}`,
      })}
      pending={change.isPending}
      onClick={() => change.mutate()}
    >
      {t('thisIsMine')}
    </Button>
  )
}
