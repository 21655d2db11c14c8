import { useMutation, useQueryClient, type MutationState } from '@tanstack/react-query'

/** As the server has it: one object for all edits that wait for each other. */
interface Known<Saved> {
  saved: Saved | undefined
}

/**
 * Saves edits of one record, one after the other: each is shown at once, and taken back by itself if
 * the server refuses it.
 *
 * @param edits.mutationKey of the edits that wait for each other
 * @param edits.queryKey of the queries that show the record
 * @param edits.current the record as it is shown
 * @param edits.save saves an edit; `before` is the record as the server has it
 * @param edits.show shows edits on top of what is saved, or else of what is shown
 * @param edits.onSettled called after each edit, whether it was saved or not
 */
export function useOptimisticEdit<Saved, Edit>(edits: {
  mutationKey: readonly unknown[]
  queryKey: readonly unknown[]
  current: () => Saved | undefined
  save: (edit: Edit, before: Saved | undefined) => Promise<Saved>
  show: (edits: readonly Edit[], saved?: Saved) => void
  onSuccess?: () => void
  onSettled?: () => void
}) {
  const { mutationKey, queryKey, current, save, show } = edits
  const queries = useQueryClient()
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
  return useMutation({
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
  })
}
