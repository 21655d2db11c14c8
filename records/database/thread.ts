import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A thread that answers one question at a time; without one it keeps no process alive. */
export class Thread<Question, Answer> {
  readonly #worker: Worker
  readonly #ended: () => void
  readonly #maxIdle: number
  #idle: NodeJS.Timeout | undefined

  /**
   * @param script sends one message for every one that it gets
   * @param ended called once when nothing more can be asked, whatever ended it
   * @param maxIdle milliseconds until it ends if nobody asks: what it holds is given back
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

/** Without the process's cache, each thread holds a compiler of TypeScript: 13 MB. */
function compileCache() {
  const cache = getCompileCacheDir()
  // Node names a folder of its version below the one that is given.
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}
}
