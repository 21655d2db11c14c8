import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

/**
 * A worker thread that answers one question at a time. While idle it doesn't keep the process
 * alive.
 */
export class Thread<Question, Answer> {
  readonly #worker: Worker
  readonly #ended: () => void
  readonly #maxIdle: number
  #idle: NodeJS.Timeout | undefined

  /**
   * @param script the worker's script, which sends one message for each one it receives
   * @param ended called once when the thread has ended for any reason
   * @param maxIdle milliseconds after which an idle thread ends, to free its memory
   */
  constructor(script: URL, data: unknown, ended: () => void, maxIdle = 30_000) {
    this.#maxIdle = maxIdle
    this.#worker = new Worker(script, { workerData: data, execArgv: [], env: compileCache() })
    let isOver = false
    this.#ended = () => {
      if (!isOver) ended()
      isOver = true
    }
    this.#worker
      .on('error', (error: Error) => process.emitWarning(error))
      .on('exit', () => this.#ended())
  }

  /** @throws Error if the thread ends before it has answered */
  ask(question: Question): Promise<Answer> {
    const worker = this.#worker
    clearTimeout(this.#idle)
    return new Promise((resolve, reject) => {
      const stopped = () => reject(new Error('the thread has stopped'))
      worker.ref()
      worker.once('exit', stopped).once('message', (answer: Answer) => {
        worker.off('exit', stopped).unref()
        this.#idle = setTimeout(() => this.#rest(), this.#maxIdle).unref()
        resolve(answer)
      })
      worker.postMessage(question)
    })
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker.terminate()
  }

  #rest(): void {
    this.#ended()
    void this.end()
  }
}

/** Without the process's compile cache, each thread loads its own TypeScript compiler: 13 MB. */
function compileCache() {
  const cache = getCompileCacheDir()
  // Node returns a folder for its version inside the one that was set.
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}
}
