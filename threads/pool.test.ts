import { expect, onTestFinished, test } from 'vitest'
import { openThreadPool } from './pool.ts'

const url = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`)

/** Answers each question with itself and the number of its thread. */
const echo = url(`import { answerQuestions } from '${import.meta.resolve('./answer-questions.ts')}'
  import { threadId } from 'node:worker_threads'
  answerQuestions((question) => {
    if (question === 'fail') throw new Error('no answer')
    if (question === 'exit') process.exit()
    return { question, threadId }
  })`)

interface EchoOptions {
  size?: number
  idle?: number
  maxWaiting?: number
}

function openEcho({ size = 1, idle = 60_000, ...options }: EchoOptions = {}) {
  const pool = openThreadPool<string, { question: string; threadId: number }>({
    script: echo,
    data: undefined,
    size,
    idle,
    ...options,
  })
  onTestFinished(() => pool.close())
  return pool
}

test('a thread that is asked again keeps running, and an idle one ends', async () => {
  const pool = openEcho()
  const [first, second] = [await pool.ask('a'), await pool.ask('b')]
  expect([first.question, second.question]).toEqual(['a', 'b'])
  expect(second.threadId).toBe(first.threadId)
  const short = openEcho({ idle: 1 })
  const { threadId } = await short.ask('a')
  await expect.poll(async () => (await short.ask('b')).threadId).not.toBe(threadId)
})

test('threads start while all others are busy, up to the size of the pool', async () => {
  const pool = openEcho({ size: 2 })
  expect(pool.isFree()).toBe(true)
  const answers = Promise.all(['a', 'b', 'c'].map((question) => pool.ask(question)))
  expect(pool.isFree()).toBe(false)
  expect(new Set((await answers).map(({ threadId }) => threadId)).size).toBe(2)
  expect(pool.isFree()).toBe(true)
})

test('a question that fails leaves the thread as it is', async () => {
  const pool = openEcho()
  const { threadId } = await pool.ask('a')
  await expect(pool.ask('fail')).rejects.toThrow('no answer')
  expect((await pool.ask('b')).threadId).toBe(threadId)
})

test('questions to a thread that ends fail, and the next one gets another thread', async () => {
  const pool = openEcho()
  await expect(pool.ask('exit')).rejects.toThrow('The thread has stopped.')
  expect(await pool.ask('a')).toMatchObject({ question: 'a' })
})

test('a question is refused while too many wait, or once the pool is closed', async () => {
  const pool = openEcho({ maxWaiting: 1 })
  const first = pool.ask('a')
  await expect(pool.ask('b')).rejects.toThrow('Too many questions wait')
  await first
  await pool.close()
  await expect(pool.ask('c')).rejects.toThrow('closed')
})

test('an answer tells the processor time that it took', async () => {
  const took: number[] = []
  await openEcho().ask('a', (milliseconds) => took.push(milliseconds))
  expect(took).toEqual([expect.any(Number)])
})
