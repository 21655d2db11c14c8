import type { ResourceLimits, Worker } from 'node:worker_threads'
import type { Answered, Asked } from './answer-questions.ts'
import { startThread } from './start-thread.ts'

/** Threads that answer questions with `answerQuestions`. */
export interface ThreadPool<Question, Answer> {
  /**
   * @param measured called with the milliseconds of processor time that the answer took
   * @throws what `options.busy` makes if too many questions wait, an Error if the answer or its
   *   thread fails, or the pool is closed
   */
  ask(question: Question, measured?: (milliseconds: number) => void): Promise<Answer>
  /** @returns whether a question would be answered at once */
  isFree(): boolean
  /** Ends all threads; what waits fails. */
  close(): Promise<void>
}

interface PoolOptions {
  /** Run in each thread; see `answerQuestions`. */
  script: URL
  /** The data of each thread. */
  data: unknown
  /** The most threads. */
  size: number
  /** Milliseconds after which an idle thread ends, to free its memory. */
  idle: number
  limits?: ResourceLimits
  /** The most questions that wait for one thread; any number unless said. */
  maxWaiting?: number
  /** The error of a question that is refused because too many wait. */
  busy?: () => Error
  /**
   * Milliseconds. If a thread dies sooner than this after its start, the next one starts that much
   * later.
   */
  restartPause?: number
}

interface Waiting {
  measured: ((milliseconds: number) => void) | undefined
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** A thread and the questions that it is to answer. */
interface Slot {
  worker: Worker
  waiting: Map<number, Waiting>
  /** Ends the thread after a while without questions. */
  idle: NodeJS.Timeout
}

const defaultBusy = () => new Error('Too many questions wait for a thread.')

/** A thread starts when all others are busy. Only questions keep the process alive. */
export function openThreadPool<Question, Answer>(
  options: PoolOptions,
): ThreadPool<Question, Answer> {
  const { size, idle, maxWaiting = Infinity, busy = defaultBusy, restartPause = 0 } = options
  let lastId = 0
  let isClosed = false
  let notBefore = -Infinity
  const slots = new Set<Slot>()

  async function end(slot: Slot): Promise<void> {
    clearTimeout(slot.idle)
    slots.delete(slot)
    await slot.worker.terminate()
  }

  function open(): Slot {
    const since = performance.now()
    const timer = setTimeout(() => {
      if (slot.waiting.size === 0) void end(slot)
      else timer.refresh()
    }, idle).unref()
    const slot = openSlot(options, timer)
    slots.add(slot)
    slot.worker.on('exit', () => {
      clearTimeout(timer)
      // A thread that was ended on purpose is no longer in the set.
      if (slots.delete(slot) && performance.now() - since < restartPause)
        notBefore = performance.now() + restartPause
    })
    return slot
  }

  function choose(): Slot | undefined {
    const slot = leastBusy(slots)
    const isEnough =
      slot?.waiting.size === 0 || slots.size === size || performance.now() < notBefore
    return isEnough ? slot : open()
  }

  return {
    async ask(question, measured) {
      if (isClosed) throw new Error('The threads have been closed.')
      const slot = choose()
      if (!slot || slot.waiting.size >= maxWaiting) throw busy()
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      slot.waiting.set(id, { measured, resolve, reject })
      if (slot.waiting.size === 1) slot.worker.ref()
      slot.idle.refresh()
      const asked: Asked<Question> = [id, question]
      slot.worker.postMessage(asked)
      return promise
    },
    isFree: () => slots.size < size || leastBusy(slots)?.waiting.size === 0,
    async close() {
      isClosed = true
      await Promise.all([...slots].map(end))
    },
  }
}

function leastBusy(slots: Iterable<Slot>): Slot | undefined {
  let min: Slot | undefined
  for (const slot of slots) if (!min || slot.waiting.size < min.waiting.size) min = slot
  return min
}

function openSlot({ script, data, limits }: PoolOptions, idle: NodeJS.Timeout): Slot {
  const worker = startThread(script, data, limits)
  worker.unref()
  const waiting = new Map<number, Waiting>()
  worker.on('message', ([id, took, answer, error]: Answered<unknown>) => {
    const question = waiting.get(id)
    question?.measured?.(took)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    if (error === undefined) question?.resolve(answer)
    else question?.reject(new Error(error))
  })
  let cause = new Error('The thread has stopped.')
  worker.on('error', (error: Error) => {
    cause = error
    process.emitWarning(error)
  })
  worker.on('exit', () => {
    for (const question of waiting.values()) question.reject(cause)
    waiting.clear()
  })
  return { worker, waiting, idle }
}
