import { setImmediate } from 'node:timers/promises'

/** Yields the same groups and lets other requests run after each. SQLite itself never yields. */
export async function* pauseBetween<T>(groups: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const group of groups) {
    yield group
    await setImmediate()
  }
}
