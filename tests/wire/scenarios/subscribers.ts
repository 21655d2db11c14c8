import { schema, type Fixture, type Caller } from './fixture.ts'

/** What one of them was told: `update notes/n1`, and the record as it came. */
export interface ReceivedEvent {
  line: string
  record: Record<string, unknown> & { id: string }
}

export type ReceivedEvents = Readonly<Record<Caller, readonly ReceivedEvent[]>>

/** An event stream of each of them, subscribed to every collection. */
export interface Subscribers {
  /** What each was told since it was last asked, in no particular order. */
  received(): Promise<ReceivedEvents>
}

/** Of what was heard the lines alone, sorted. */
export function linesOf(heard: ReceivedEvents): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(heard).map(([who, told]) => [who, told.map(({ line }) => line).toSorted()]),
  )
}

const everything = schema.collections.map(({ name }) => `${name}/*`)

export async function openSubscribers(fixture: Fixture): Promise<Subscribers> {
  const subscribers = {
    '': await openSubscriber(fixture, ''),
    ann: await openSubscriber(fixture, 'ann'),
  }
  const all = { ...subscribers, bob: await openSubscriber(fixture, 'bob') }
  let rung = 0
  return {
    async received() {
      await fixture.ask('', 'PATCH bells/{bell}', { rung: ++rung })
      const told = await Promise.all(Object.values(all).map((subscriber) => subscriber.until(rung)))
      return { '': told[0]!, ann: told[1]!, bob: told[2]! }
    },
  }
}

async function openSubscriber({ request, ask }: Fixture, who: Caller) {
  const answer = await request('/realtime')
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''

  /** @returns the next message's data; a heartbeat, which comes on a slow machine, has none */
  async function next(): Promise<Record<string, unknown>> {
    for (;;) {
      while (!text.includes('\n\n')) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`the stream of "${who}" has ended`)
        text += value
      }
      const end = text.indexOf('\n\n')
      const message = text.slice(0, end)
      text = text.slice(end + 2)
      const data = /^data:(.*)$/m.exec(message)?.[1]
      if (data !== undefined) return JSON.parse(data) as Record<string, unknown>
    }
  }

  const { clientId } = await next()
  await ask(who, 'POST /realtime', { clientId, subscriptions: everything })

  /** @returns all that came before the bell was rung for that time */
  async function until(rung: number): Promise<ReceivedEvent[]> {
    const told: ReceivedEvent[] = []
    for (;;) {
      const { action, record } = (await next()) as {
        action: string
        record: ReceivedEvent['record']
      }
      const name = String(record['collectionName'])
      if (name === 'bells' && record['rung'] === rung) return told
      told.push({ line: `${action} ${name}/${record.id.replace(/0+$/, '')}`, record })
    }
  }

  return { until }
}
