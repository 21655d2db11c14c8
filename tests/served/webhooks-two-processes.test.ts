import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { NewWebhook, WebhookDelivery } from '#shared/webhook.ts'
import { secret } from '#tests/access/fixture.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

const post = await openMailServer()
endings.push(() => post.close())
const settings = {
  DATABASE_URL: await newMigratedUrl((end) => void endings.push(end)),
  SECRET: secret,
  SMTP_URL: post.url,
  WEBHOOK_NETWORKS: '127.0.0.0/8',
}
const both = await Promise.all([startOctavo(settings), startOctavo(settings)])
for (const octavo of both) endings.push(() => octavo.stop())

const received: string[] = []
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']))
  response.writeHead(204).end()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
endings.push(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

test('two processes send each webhook once', async () => {
  const readers = await Promise.all(
    ['ann', 'ben', 'cleo'].map(async (name) => {
      const token = await signUp(both[0], post, name)
      const [one, other] = both.map((octavo) => signedIn(octavo, token))
      const hook = { url, events: ['book.added', 'book.rated'] }
      await one!.collection('webhooks').create<NewWebhook>(hook)
      const shelf = await other!
        .collection('bookshelves')
        .create({ name: 'A shelf', visibility: 'private' })
      return { one: one!, other: other!, shelf: shelf.id }
    }),
  )
  const titles = ['Emma', 'Persuasion', 'Sanditon', 'Lady Susan']
  await Promise.all(
    readers.flatMap(({ one, other, shelf }) =>
      titles.map(async (title, place) => {
        const [here, there] = place % 2 ? [one, other] : [other, one]
        const book = { shelf, title, authors: [], status: 'reading' }
        const { id } = await here.collection('user_books').create(book)
        await there.collection('user_books').update(id, { rating: 8 })
      }),
    ),
  )
  const deliveries = async () => {
    const lists = readers.map(({ one }) =>
      one.collection('webhook_deliveries').getFullList<WebhookDelivery>(),
    )
    return (await Promise.all(lists)).flat()
  }
  const count = readers.length * titles.length * 2
  const states = async () => (await deliveries()).map(({ state }) => state)
  await expect.poll(states).toEqual(Array.from({ length: count }, () => 'delivered'))
  const sent = await deliveries()
  expect(sent.map(({ attempts }) => attempts)).toEqual(sent.map(() => 1))
  expect(received.toSorted()).toEqual(sent.map(({ id }) => id).toSorted())
})
