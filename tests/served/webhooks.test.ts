import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { NewWebhook, WebhookDelivery } from '#shared/webhook.ts'
import { freePort } from '#tests/free-port.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'

const root = dirname(dirname(import.meta.dirname))
const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')

/** The examples of the page in a language. */
const examples = (language: string) =>
  page
    .split(/^```/m)
    .filter((part) => part.startsWith(`${language}\n`))
    .map((part) => part.slice(language.length + 1))

const { octavo, post } = await openOctavo({ WEBHOOK_NETWORKS: '127.0.0.0/8' })
const token = await signUp(octavo, post, 'ann')
const client = signedIn(octavo, token)
const shelf = await client.collection('bookshelves').create({ name: 'Shelf', visibility: 'public' })

async function curl(example: string, address = ''): Promise<unknown> {
  const env = { ...process.env, OCTAVO: octavo.url, TOKEN: token, ADDRESS: address }
  const { stdout } = await promisify(execFile)('sh', ['-c', example], { env })
  return JSON.parse(stdout)
}

/** Runs a receiver. @returns what it prints, line by line */
async function receive(command: string[], program: string, port: number, secret: string) {
  const [name = '', ...words] = command
  const receiver = spawn(name, words, {
    cwd: root,
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void receiver.kill())
  let printed = ''
  receiver.stdout.on('data', (chunk) => (printed += String(chunk)))
  receiver.stdin.end(program)
  const isListening = async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }
  await expect.poll(isListening, { timeout: 10_000 }).toBe(true)
  return () => printed.trim().split('\n')
}

test.each([
  ['TypeScript', [process.execPath, '--input-type=module-typescript', '-'], examples('ts')],
  ['Python', ['python3', '-'], examples('python')],
])('the example in %s takes what is sent, and nothing else', async (name, command, programs) => {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}/hook`
  const [create = '', listLast = ''] = examples('sh')
  const { id, secret } = (await curl(create, address)) as NewWebhook
  const printed = await receive(command, programs[0]!, port, secret)
  const title = `Emma, in ${name}`
  await client
    .collection('user_books')
    .create({ shelf: shelf.id, title, authors: [], status: 'planning' })
  const last = async () =>
    ((await curl(listLast)) as { items: WebhookDelivery[] }).items.filter(
      (one) => one.webhook === id,
    )
  await expect.poll(last, { timeout: 10_000 }).toMatchObject([{ state: 'delivered', status: 204 }])
  expect(printed()).toEqual([`book.added ${title}`])
  const forged = await fetch(address, {
    method: 'POST',
    headers: {
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,Zm9yZ2Vk',
    },
    body: '{"type":"book.added","data":{"title":"Forged"}}',
  })
  expect(forged.status).toBe(400)
  expect(printed()).toEqual([`book.added ${title}`])
  await client.collection('webhooks').delete(id)
})

test('R34: an address in a network that the operator does not name is refused', async () => {
  for (const url of ['http://10.0.0.1/', 'http://[::1]:8080/', 'http://169.254.169.254/'])
    await expect(
      client.collection('webhooks').create({ url, events: ['book.added'] }),
    ).rejects.toMatchObject({
      response: {
        data: {
          url: {
            message: 'This address is in a private network, which webhooks can’t be sent to here.',
          },
        },
      },
    })
})
