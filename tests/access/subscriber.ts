export interface Event {
  topic: string
  action: string
  text: string
  record: { id: string; name?: string }
}

/** What one connection hears. */
export interface Subscriber {
  /** What came since the last call, up to the shelf of that name. */
  until(name: string): Promise<Event[]>
  /** The data of the next message of a topic; others are left out. */
  nextOf(topic: string): Promise<string>
  close(): Promise<void>
}

/**
 * Opens a connection that hears the topics.
 *
 * @param token of a session; a visitor has none
 */
export async function subscribe(
  { fetch }: { fetch: (path: string, init?: RequestInit) => Promise<Response> },
  token: string | undefined,
  topics: string[],
): Promise<Subscriber> {
  const stream = (await fetch('/api/realtime')).body!.pipeThrough(new TextDecoderStream())
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
  const { status } = await fetch('/api/realtime', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: token }) },
    body: JSON.stringify({ clientId, subscriptions: topics }),
  })
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
    async nextOf(wanted) {
      for (;;) {
        const { topic, data } = await next()
        if (topic === wanted) return data
      }
    },
    close: () => input.cancel(),
  }
}
