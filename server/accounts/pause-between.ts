import { setImmediate } from 'node:timers/promises'

/** The same groups; after each, others get their turn. SQLite answers without waiting for anything. */
export async function* pauseBetween<T>(groups: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const group of groups) {
    yield group
    await setImmediate()
  }
}
