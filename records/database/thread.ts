import { Worker } from 'node:worker_threads'

/** A thread that answers one question at a time; without one it keeps no process alive. */
export class Thread<Question, Answer> {
  readonly #worker: Worker

  /**
   * @param script sends one message for every one that it gets
   * @param data what the script is told
   * @param ended called when the thread is no longer there, whatever ended it
   */
  constructor(script: URL, data: unknown, ended: () => void) {
    this.#worker = new Worker(script, { workerData: data, execArgv: [], env: {} })
    this.#worker.on('error', (error: Error) => process.emitWarning(error)).on('exit', ended)
  }

  /** @throws Error if the thread ends before it has answered */
  ask(question: Question): Promise<Answer> {
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      const stopped = () => reject(new Error('the thread has stopped'))
      worker.ref()
      worker.once('exit', stopped).once('message', (answer: Answer) => {
        worker.off('exit', stopped).unref()
        resolve(answer)
      })
      worker.postMessage(question)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
