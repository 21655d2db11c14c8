import type { Viewer } from '../filter/request.ts'
import { randomKey } from '../random.ts'
import type { Topic } from './topic.ts'

/** @returns whether the text has the format of a client id */
export function isClientId(text: string): boolean {
  return text.length === idLength && /^[0-9a-zA-Z]*$/.test(text)
}

const idLength = 40

/** Bytes that may wait for a client that has stopped reading. */
const maxBuffer = 256 * 1024
/** Longer messages are encoded once and shared by all clients. */
const sharedFrom = 8 * 1024

const encoder = new TextEncoder()
const heartbeat = encoder.encode(':\n\n')

/** The subscription of a client that wants to know whether its stream is alive. */
const heartbeatTopic = '@heartbeat'

/** Where a connection came from. */
export interface Origin {
  /** Its IP address; '' if unknown. */
  address: string
  /** The account whose cookie was sent; '' for none. */
  account: string
}

/** An event's data, for any number of clients. */
export class Message {
  readonly #line: string
  #bytes: Uint8Array | undefined

  /** @param json one line of JSON */
  constructor(json: string) {
    this.#line = `data:${json}\n\n`
  }

  /** @returns the chunks to send, head first */
  after(head: string): Uint8Array[] {
    if (this.#line.length < sharedFrom) return [encoder.encode(head + this.#line)]
    this.#bytes ??= encoder.encode(this.#line)
    return [encoder.encode(head), this.#bytes]
  }
}

const beat = new Message('{}')

/** One open event stream and its viewer. */
export class Client {
  /** Must be unguessable: whoever knows it may change the subscriptions. */
  readonly id: string
  readonly origin: Origin
  readonly opened: number
  /** When the last event was sent; heartbeats do not count. */
  lastSent: number
  /** Only the broker sets this and the topics. */
  viewer: Viewer | null = null
  topics: ReadonlyMap<string, Topic> = new Map()
  readonly stream: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #onEnd: (client: Client) => void

  /**
   * @param onEnd called once when either side ends the stream
   * @param idPrefix the beginning of its id; the rest is long enough to be unguessable
   */
  constructor(origin: Origin, now: number, onEnd: (client: Client) => void, idPrefix = '') {
    this.id = idPrefix + randomKey(idLength - idPrefix.length)
    this.origin = origin
    this.opened = this.lastSent = now
    this.#onEnd = onEnd
    this.stream = new ReadableStream<Uint8Array>(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#end() },
      new ByteLengthQueuingStrategy({ highWaterMark: maxBuffer }),
    )
  }

  send(event: string, message: Message, now: number): void {
    this.lastSent = now
    // Every message has the id, as the official client learns its id from there.
    this.#write(message.after(`id:${this.id}\nevent:${event}\n`))
  }

  /**
   * Keeps proxies from closing a silent connection, with a comment. Scripts hear no comments: a client
   * that subscribes to heartbeats has events in their place.
   */
  beat(): void {
    if (this.topics.has(heartbeatTopic)) this.#write(beat.after(`event:${heartbeatTopic}\n`))
    else this.#write([heartbeat])
  }

  close(): void {
    this.#controller?.close()
    this.#end()
  }

  #write(chunks: readonly Uint8Array[]): void {
    const controller = this.#controller
    if (!controller) return
    // Checked before enqueuing, as one message may be longer than the buffer.
    if ((controller.desiredSize ?? 0) > 0) {
      for (const chunk of chunks) controller.enqueue(chunk)
      return
    }
    const error = new Error('the event stream is not being read')
    // The HTTP adapter prints the stack; one line is enough.
    error.stack = error.message
    controller.error(error)
    this.#end()
  }

  #end(): void {
    if (!this.#controller) return
    this.#controller = undefined
    this.#onEnd(this)
  }
}
