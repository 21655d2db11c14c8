import { expect, it } from 'vitest'
import { apiError } from './errors.ts'
import type { OutboxChange, OutboxEdit } from './outbox-changes.ts'
import { sendInOrder } from './send-in-order.ts'

const edit = (number: number, book: string, more: Partial<OutboxEdit> = {}) =>
  ({ kind: 'edit', number, book, ...more }) as OutboxChange

/** @returns the numbers of the changes that were sent, in their order */
async function sentOf(changes: OutboxChange[], refused: number[] = []): Promise<number[]> {
  const sent: number[] = []
  await sendInOrder(changes, async ({ number }) => {
    sent.push(number)
    return !refused.includes(number)
  })
  return sent
}

it('sends changes in the order they were made', async () => {
  expect(await sentOf([edit(1, 'emma'), edit(2, 'dune'), edit(3, 'emma')])).toEqual([1, 2, 3])
})

it('keeps the later changes of a book back after one that was refused', async () => {
  const changes = [edit(1, 'emma'), edit(2, 'dune'), edit(3, 'emma'), edit(4, 'emma')]
  expect(await sentOf(changes, [1])).toEqual([1, 2])
})

it('sends nothing of a book whose change waits for its reader', async () => {
  const problem = { kind: 'refused', message: 'No.' } as const
  expect(await sentOf([edit(1, 'emma', { problem }), edit(2, 'emma'), edit(3, 'dune')])).toEqual([
    3,
  ])
})

it('stops where the server can no longer be reached', async () => {
  const sent: number[] = []
  const sending = sendInOrder(
    [edit(1, 'emma'), edit(2, 'dune'), edit(3, 'walden')],
    ({ number }) => {
      sent.push(number)
      return number === 2 ? Promise.reject(apiError(0, {})) : Promise.resolve(true)
    },
  )
  await expect(sending).rejects.toMatchObject({ status: 0 })
  expect(sent).toEqual([1, 2])
})
