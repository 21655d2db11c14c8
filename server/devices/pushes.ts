import type { Push } from '#server/collections/connections.ts'
import { pushDays } from '#shared/connection.ts'

/**
 * Adds a push. One that is no further than the device's previous one says nothing new, however often
 * it comes.
 *
 * @param previous where the device was before, 0 to 100
 * @returns the same list if nothing is new
 */
export function withPush(
  pushes: readonly Push[],
  previous: number,
  push: Omit<Push, 'applied'>,
): readonly Push[] {
  const { day, percent } = push
  if (percent <= previous) return pushes
  const same = pushes.find((one) => one.day === day)
  const furthest = same && !same.applied ? Math.max(same.percent, percent) : percent
  const kept = pushes.filter((one) => one !== same)
  return [...kept, { ...push, percent: furthest, applied: false }]
}

/** @returns those that are young enough to be applied */
export function recentPushes(pushes: readonly Push[] | null, now: Date): readonly Push[] {
  const oldest = new Date(now.getTime() - pushDays * 86_400_000).toISOString()
  return pushes?.filter(({ at }) => at >= oldest) ?? []
}
