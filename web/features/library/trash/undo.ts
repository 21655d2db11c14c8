import { useQueryClient } from '@tanstack/react-query'
import { maxRestored } from '#shared/trash.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { refreshLibrary, removeBooks } from '#web/api/library.ts'
import { restoreRecords } from '#web/api/trash.ts'
import { applyRestored } from '#web/api/timeline.ts'
import { t } from '#web/i18n/books.ts'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'

/** Long enough to see that the wrong thing was hit and to take it back; milliseconds. */
export const undoTime = 8000

/** The same after a press of a key, from where the button is many keys away. */
const keyboardUndoTime = 20_000

/** Options of a toast that offers to undo a change. */
export const undoOptions = (undo: () => void, duration = undoTime) => ({
  duration: document.activeElement?.matches(':focus-visible:not(input)')
    ? keyboardUndoTime
    : duration,
  action: { label: t('undo'), onClick: undo },
})

/** {@link refreshLibrary} for the cache at hand. */
export function useRefreshLibrary(): () => void {
  const queries = useQueryClient()
  return () => refreshLibrary(queries)
}

/** Tells what was removed, with the way back: the same records, with their history. */
export function useRemovalToast(): (
  message: string,
  collection: string,
  ids: readonly string[],
) => void {
  const api = useApi()
  const queries = useQueryClient()
  const refresh = useRefreshLibrary()
  async function undo(collection: string, ids: readonly string[]): Promise<void> {
    try {
      for (let i = 0; i < ids.length; i += maxRestored)
        await restoreRecords(api, { collection, ids: ids.slice(i, i + maxRestored) })
      if (collection === 'activities') await applyRestored(api, queries, ids)
      ;(await fetchToast()).success(t('restored'))
    } catch (error) {
      showError(errorMessage(error))
    } finally {
      refresh()
    }
  }
  return (message, collection, ids) =>
    void fetchToast().then((toast) =>
      toast.success(
        message,
        undoOptions(() => void undo(collection, ids)),
      ),
    )
}

/** Tells what was added, with the way back: the books of these ids go again. */
export function useAddedToast(): (message: string, ids: readonly string[]) => Promise<void> {
  const api = useApi()
  const refresh = useRefreshLibrary()
  async function undo(ids: readonly string[]): Promise<void> {
    try {
      await removeBooks(api, ids)
    } catch (error) {
      showError(errorMessage(error))
    } finally {
      refresh()
    }
  }
  return async (message, ids) => {
    const toast = await fetchToast()
    toast.success(
      message,
      undoOptions(() => void undo(ids)),
    )
  }
}
