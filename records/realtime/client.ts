import { customAlphabet } from 'nanoid'
import type { Viewer } from '../access/request.ts'
import type { Topic } from './topic.ts'

/** Unguessable: whoever knows it may set what the connection hears. */
const newClientId = customAlphabet(
  '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  40,
)

/** Bytes that may wait for a reader that has stopped reading. */
const bufferAtMost = 256 * 1024

/** One open event stream, and for whom. */
export class Client {
  readonly id = newClientId()
  readonly address: string
  readonly opened: number
  /** When the last event was sent; heartbeats do not count. */
  lastSent: number
  viewer: Viewer | null = null
  topics: ReadonlyMap<string, Topic> = new Map()
  readonly stream: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #onEnd: (client: Client) => void

  /** @param onEnd called once when either side ended the stream */
  constructor(address: string, now: number, onEnd: (client: Client) => void) {
    this.address = address
    this.opened = this.lastSent = now
    this.#onEnd = onEnd
    this.stream = new ReadableStream<Uint8Array>(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#end() },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferAtMost }),
    )
  }

  /** @param json one line of JSON */
  send(event: string, json: string, now: number): void {
    this.lastSent = now
    // The id is on every message: the official client takes its own from there.
    this.#write(`id:${this.id}\nevent:${event}\ndata:${json}\n\n`)
  }

  /** A comment, which keeps proxies from closing a silent connection. */
  beat(): void {
    this.#write(':\n\n')
  }

  close(): void {
    this.#controller?.close()
    this.#end()
  }

  #write(text: string): void {
    const controller = this.#controller
    if (!controller) return
    controller.enqueue(new TextEncoder().encode(text))
    if ((controller.desiredSize ?? 0) > 0) return
    controller.error(new Error('the event stream is not being read'))
    this.#end()
  }

  #end(): void {
    if (!this.#controller) return
    this.#controller = undefined
    this.#onEnd(this)
  }
}
