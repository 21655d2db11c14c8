import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '#web/api/context.ts'
import { errorMessage, isNotFound } from '#web/api/errors.ts'
import {
  deleteJournalEntry,
  saveJournalEntry,
  type BookRef,
  type QuoteEdit,
  type ReadingEdit,
} from '#web/api/book-journal.ts'
import { invalidateCollections } from '#web/api/query-keys.ts'
import { showError } from '#web/ui/fetch-toast.ts'
import { useRemovalToast } from '../trash/undo.ts'

type Kind = 'readings' | 'quotes'

/** Saves a reading or a quote of a book. @param id of the one to change; left out for a new one */
export function useSaveJournalEntry(collection: Kind, book: BookRef, id?: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (edit: ReadingEdit | QuoteEdit) =>
      saveJournalEntry(api, collection, book, edit, id),
    onSuccess: () => invalidateCollections(queries, [collection]),
  })
}

/** Deletes a reading or a quote, and tells so with the way back. */
export function useDeleteJournalEntry(collection: Kind) {
  const api = useApi()
  const queries = useQueryClient()
  const tellRemoval = useRemovalToast()
  return useMutation({
    mutationFn: async ({ id }: { id: string; message: string }) => {
      try {
        await deleteJournalEntry(api, collection, id)
      } catch (error) {
        // Another tab was quicker.
        if (!isNotFound(error)) throw error
      }
    },
    onSuccess: async (_done, { id, message }) => {
      tellRemoval(message, collection, [id])
      await invalidateCollections(queries, [collection])
    },
    onError: (error) => showError(errorMessage(error)),
  })
}
