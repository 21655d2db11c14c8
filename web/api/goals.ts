import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Goal, GoalList } from '#shared/goal.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** A reader's goals that the viewer may see, and how far they are. */
export function goalsQuery(api: PocketBase, username: string) {
  return queryOptions({
    queryKey: keys.goals(username.toLowerCase()),
    queryFn: () => fetchData<GoalList>(api, `/api/v1/users/${encodeURIComponent(username)}/goals`),
  })
}

/** The fields of a goal that a reader sets. */
export type GoalEdit = Pick<Goal, 'kind' | 'target' | 'from' | 'to' | 'filter' | 'isPrivate'>

/** Saves a goal. @param id of the one to change; left out for a new one */
export async function saveGoal(api: PocketBase, edit: GoalEdit, id?: string): Promise<void> {
  const goals = api.collection('goals')
  await (id ? goals.update(id, edit) : goals.create(edit))
}

export function deleteGoal(api: PocketBase, id: string): Promise<boolean> {
  return api.collection('goals').delete(id)
}
