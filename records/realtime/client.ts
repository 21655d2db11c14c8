import type { Viewer } from '../access/request.ts'
import { randomKey } from '../random.ts'
import type { Topic } from './topic.ts'

/** @returns whether the text has the form of a connection's id */
export function isClientId(text: string): boolean {
  return text.length === idLength && /^[0-9a-zA-Z]*$/.test(text)
}

const idLength = 40

/** Bytes that may wait for a reader that has stopped reading. */
const maxBuffer = 256 * 1024
/** From this length on a message's bytes are the same for all its readers. */
const sharedFrom = 8 * 1024

const encoder = new TextEncoder()
const heartbeat = encoder.encode(':\n\n')

/** Where a connection was opened from. */
export interface Origin {
  /** Its network address, '' if unknown. */
  address: string
  /** The account whose cookie came along, '' if none did. */
  account: string
}

/** What one event says, to however many clients. */
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

/** One open event stream, and for whom. */
export class Client {
  /** Unguessable: whoever knows it may set what the connection hears. */
  readonly id: string
  readonly origin: Origin
  readonly opened: number
  /** When the last event was sent; heartbeats do not count. */
  lastSent: number
  /** Set by the broker alone, as are the topics. */
  viewer: Viewer | null = null
  topics: ReadonlyMap<string, Topic> = new Map()
  readonly stream: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #onEnd: (client: Client) => void

  /**
   * @param onEnd called once when either side ended the stream
   * @param idPrefix what its id begins with, of which enough is left to be unguessable
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
    // The id is on every message: the official client takes its own from there.
    this.#write(message.after(`id:${this.id}\nevent:${event}\n`))
  }

  /** A comment, which keeps proxies from closing a silent connection. */
  beat(): void {
    this.#write([heartbeat])
  }

  close(): void {
    this.#controller?.close()
    this.#end()
  }

  #write(chunks: readonly Uint8Array[]): void {
    const controller = this.#controller
    if (!controller) return
    // Asked before: one message may well be longer than what may wait.
    if ((controller.desiredSize ?? 0) > 0) {
      for (const chunk of chunks) controller.enqueue(chunk)
      return
    }
    const error = new Error('the event stream is not being read')
    // The HTTP adapter prints it: one line will do.
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
