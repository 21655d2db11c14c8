import { expect, onTestFinished, test } from 'vitest'
import { Thread } from './thread.ts'

/** Answers each question with itself. */
const echo = new URL(
  `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (question) => parentPort.postMessage(question))`)}`,
)

test('an idle thread ends and reports that once', async () => {
  let overs = 0
  const over = Promise.withResolvers<void>()
  const ended = () => {
    overs++
    over.resolve()
  }
  const thread = new Thread<string, string>(echo, undefined, ended, 1)
  expect(await thread.ask('first')).toBe('first')
  await over.promise
  await thread.end()
  expect(overs).toBe(1)
})

test('a thread that is asked again keeps running', async () => {
  const thread = new Thread<number, number>(echo, undefined, () => undefined, 60_000)
  onTestFinished(() => thread.end())
  for (const question of [1, 2, 3]) expect(await thread.ask(question)).toBe(question)
})
