import { schema, type Stage, type Who } from './stage.ts'

/** What one of them was told: `update notes/n1`, and the record as it came. */
export interface Told {
  line: string
  record: Record<string, unknown> & { id: string }
}

export type Heard = Readonly<Record<Who, readonly Told[]>>

/** An event stream of each of them, subscribed to every collection. */
export interface Ears {
  /** What each was told since it was last asked, in no particular order. */
  heard(): Promise<Heard>
}

/** Of what was heard the lines alone, sorted. */
export function linesOf(heard: Heard): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(heard).map(([who, told]) => [who, told.map(({ line }) => line).toSorted()]),
  )
}

const everything = schema.collections.map(({ name }) => `${name}/*`)

export async function openEars(stage: Stage): Promise<Ears> {
  const ears = { '': await openEar(stage, ''), ann: await openEar(stage, 'ann') }
  const all = { ...ears, bob: await openEar(stage, 'bob') }
  let rung = 0
  return {
    async heard() {
      await stage.ask('', 'PATCH bells/{bell}', { rung: ++rung })
      const told = await Promise.all(Object.values(all).map((ear) => ear.until(rung)))
      return { '': told[0]!, ann: told[1]!, bob: told[2]! }
    },
  }
}

async function openEar({ request, ask }: Stage, who: Who) {
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
  async function until(rung: number): Promise<Told[]> {
    const told: Told[] = []
    for (;;) {
      const { action, record } = (await next()) as { action: string; record: Told['record'] }
      const name = String(record['collectionName'])
      if (name === 'bells' && record['rung'] === rung) return told
      told.push({ line: `${action} ${name}/${record.id.replace(/0+$/, '')}`, record })
    }
  }

  return { until }
}
