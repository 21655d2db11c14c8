import { serve, type ServerType } from '@hono/node-server'
import { EventSource } from 'eventsource'
import type { AddressInfo } from 'node:net'
import PocketBase, { type RecordSubscription } from 'pocketbase'
import OlderPocketBase from 'pocketbase-0.26'
import { onTestFinished } from 'vitest'
import type { ClientClass } from '#tests/in-process.ts'
import type { Fixture } from './fixture.ts'

// The official client expects a browser's.
Object.assign(globalThis, { EventSource })

/** The official client as it is, and as it was when the product began. */
export const clients: Readonly<Record<string, ClientClass>> = {
  newest: PocketBase,
  '0.26': OlderPocketBase as unknown as ClientClass,
}

/** Serves the fixture on a real port, since an event stream is a connection. */
export async function serveFixture(fixture: Fixture): Promise<string> {
  const server = await new Promise<ServerType>((resolve) => {
    const started = serve(
      { fetch: fixture.app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false },
      () => resolve(started),
    )
  })
  onTestFinished(async () => {
    await fixture.records.close()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A client with an event stream of its own, signed in like the one given. */
export function realtimeClient(
  url: string,
  like?: Pick<PocketBase, 'authStore'>,
  Client: ClientClass = PocketBase,
): PocketBase {
  const client = new Client(url)
  client.autoCancellation(false)
  if (like) client.authStore.save(like.authStore.token, like.authStore.record)
  onTestFinished(() => client.realtime.unsubscribe())
  return client
}

/** Collects a subscription's events; `next` waits for the one after the last taken. */
export async function collectEvents(
  client: PocketBase,
  collection: string,
  topic: string,
  options = {},
) {
  const events: string[] = []
  const records: Record<string, unknown>[] = []
  let wake = () => {}
  let taken = 0
  await client.collection(collection).subscribe(
    topic,
    ({ action, record }: RecordSubscription) => {
      events.push(`${action} ${record['name'] ?? record['title'] ?? record.id}`)
      records.push(record)
      wake()
    },
    options,
  )
  async function next(): Promise<string> {
    while (events.length <= taken) await new Promise<void>((resolve) => (wake = resolve))
    return events[taken++]!
  }
  return { events, records, next }
}
