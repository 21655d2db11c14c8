import { parentPort, type Transferable } from 'node:worker_threads'

/** Messages between threads are arrays: object keys would cost the asking thread a lookup each. */
export type Asked<Question> = [id: number, question: Question]
/** An answer or an error's stack, with the milliseconds of processor time that it took. */
export type Answered<Answer> = [id: number, took: number, answer: Answer | null, error?: string]

/**
 * Answers the questions to a thread of a pool, one after the other.
 *
 * @param answer an error that it throws is the question's
 * @param moved what is moved out of an answer rather than copied
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer,
  moved: (answer: Answer, question: Question) => Transferable[] = () => [],
): void {
  parentPort?.on('message', ([id, question]: Asked<Question>) => {
    const start = process.threadCpuUsage()
    const took = () => {
      const { user, system } = process.threadCpuUsage(start)
      return (user + system) / 1000
    }
    try {
      const found = answer(question)
      const answered: Answered<Answer> = [id, took(), found]
      parentPort?.postMessage(answered, moved(found, question))
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? '') : String(error)
      const answered: Answered<Answer> = [id, took(), null, message]
      parentPort?.postMessage(answered)
    }
  })
}
