import { askAs, type Reader, type World } from './world.ts'

export interface Event {
  topic: string
  action: string
  text: string
  record: { id: string; name?: string }
}

/** What one connection hears. */
export interface Listener {
  /** What came since the last call, up to the shelf of that name. */
  until(name: string): Promise<Event[]>
  close(): Promise<void>
}

/** Opens a connection that hears the topics, as the reader or as a visitor. */
export async function listen(
  world: World,
  reader: Reader | undefined,
  topics: string[],
): Promise<Listener> {
  const stream = (await world.fetch('/api/realtime')).body!.pipeThrough(new TextDecoderStream())
  const input = stream.getReader()
  let text = ''
  const next = async (): Promise<{ topic: string; data: string }> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const topic = /^event:(.*)$/m.exec(block)?.[1]
        if (topic) return { topic, data: /^data:(.*)$/m.exec(block)?.[1] ?? '' }
        continue
      }
      const { value, done } = await input.read()
      if (done) throw new Error('the stream ended')
      text += value
    }
  }
  const { clientId } = JSON.parse((await next()).data) as { clientId: string }
  const form = { clientId, subscriptions: topics }
  const { status } = await askAs(world, reader, 'POST', '/api/realtime', form)
  if (status !== 204) throw new Error(`subscribing was answered with ${status}`)
  return {
    async until(name) {
      const events: Event[] = []
      for (;;) {
        const { topic, data } = await next()
        const event = JSON.parse(data) as Omit<Event, 'topic' | 'text'>
        if (event.record.name === name) return events
        events.push({ topic, text: data, ...event })
      }
    },
    close: () => input.cancel(),
  }
}
