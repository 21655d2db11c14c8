import {
  useMutation,
  useQueryClient,
  type MutationOptions,
  type MutationState,
  type QueryClient,
} from '@tanstack/react-query'

/** As the server has it: one object for all edits that wait for each other. */
interface Known<Saved> {
  saved: Saved | undefined
}

/** How the edits of a record are saved and shown. */
interface Edits<Saved, Edit> {
  /** The key of edits that wait for each other. */
  mutationKey: readonly unknown[]
  /** The key of the queries that show the record. */
  queryKey: readonly unknown[]
  /** The record as it is shown. */
  current: () => Saved | undefined
  /** @param before the record as the server has it */
  save: (edit: Edit, before: Saved | undefined) => Promise<Saved>
  /** Shows edits on top of what is saved, or else of what is shown. */
  show: (edits: readonly Edit[], saved?: Saved) => void
  onSuccess?: () => void
  /** Called after each edit, whether it was saved or not. */
  onSettled?: () => void
}

/**
 * Saves edits of one record, one after the other: each is shown at once, and taken back by itself if
 * the server refuses it.
 */
export function useOptimisticEdit<Saved, Edit>(edits: Edits<Saved, Edit>) {
  return useMutation(optimisticEdit(useQueryClient(), edits))
}

/** @returns the mutation of {@link useOptimisticEdit} */
export function optimisticEdit<Saved, Edit>(
  queries: QueryClient,
  edits: Edits<Saved, Edit>,
): MutationOptions<Saved, Error, Edit, Known<Saved>> {
  const { mutationKey, queryKey, current, save, show } = edits
  const pending = () =>
    queries
      .getMutationCache()
      .findAll({ mutationKey, status: 'pending' })
      .map(({ state }) => state as MutationState<Saved, Error, Edit, Known<Saved>>)
  const others = (edit: Edit) => pending().filter(({ variables }) => variables !== edit)
  const showAfter = (saved: Saved, done: Edit) =>
    show(
      others(done).flatMap(({ variables }) => variables ?? []),
      saved,
    )
  return {
    mutationKey,
    scope: { id: mutationKey.join(':') },
    mutationFn: (edit: Edit) =>
      save(edit, pending().find(({ variables }) => variables === edit)?.context?.saved),
    onMutate: async (edit): Promise<Known<Saved>> => {
      // An earlier request's answer would overwrite the edit.
      await queries.cancelQueries({ queryKey })
      const saved = current()
      show([edit])
      return others(edit)[0]?.context ?? { saved }
    },
    onSuccess: (saved, edit, known) => {
      known.saved = saved
      showAfter(saved, edit)
      edits.onSuccess?.()
    },
    onError: (_error, edit, known) => known?.saved && showAfter(known.saved, edit),
    onSettled: () => edits.onSettled?.(),
  }
}
