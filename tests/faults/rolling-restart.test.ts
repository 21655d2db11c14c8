import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newMigratedUrl } from '#tests/databases.ts'
import { freePort } from '#tests/free-port.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-rolling-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('R10: a process that is starting takes no connection', async () => {
  const port = String(await freePort())
  const ready = new AbortController()
  const starting = startOctavo({ PORT: port, HOST: '127.0.0.1' }).finally(() => ready.abort())
  const seen = new Set<number | string>()
  while (!ready.signal.aborted) {
    const asked = fetch(`http://127.0.0.1:${port}/api/ready`)
    seen.add(
      await asked.then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
  }
  const octavo = await starting
  onTestFinished(async () => void (await octavo.stop()))
  expect(seen).toContain('refused')
  expect([...seen].filter((one) => one !== 'refused' && one !== 200)).toEqual([])
  expect((await fetch(`http://127.0.0.1:${port}/api/ready`)).status).toBe(200)
})

const hasProxy = spawnSync('haproxy', ['-v']).status === 0

/** HAProxy over two processes; each answer names the one that gave it. */
async function openProxy(ports: readonly string[]): Promise<string> {
  const port = String(await freePort())
  const file = join(newFolder(), 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 20s
  option redispatch 1
  retries 3
frontend readers
  bind 127.0.0.1:${port}
  http-after-response set-header X-Process %[srv_name]
  default_backend octavo
backend octavo
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  option httpchk
  http-check send meth GET uri /api/ready ver HTTP/1.1 hdr Host octavo
${ports.map((one) => `  server at-${one} 127.0.0.1:${one} check inter 200ms rise 1 fall 3`).join('\n')}
`,
  )
  const proxy = spawn('haproxy', ['-q', '-f', file], { stdio: 'ignore' })
  onTestFinished(async () => {
    const ended = once(proxy, 'exit')
    proxy.kill('SIGKILL')
    await ended
  })
  return `http://127.0.0.1:${port}`
}

test.runIf(hasProxy)('R10: rolling restarts behind a proxy fail no request', async () => {
  const shared = {
    DATABASE_URL: await newMigratedUrl(),
    SECRET: 'x'.repeat(40),
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
  }
  const places = [
    { PORT: String(await freePort()), DATA_DIR: newFolder() },
    { PORT: String(await freePort()), DATA_DIR: newFolder() },
  ]
  for (const { DATA_DIR } of places) await copyStarterIndex(DATA_DIR)
  const running: Octavo[] = []
  // One after the other: the first makes the schema.
  for (const place of places) running.push(await startOctavo({ ...shared, ...place }))
  onTestFinished(async () => void (await Promise.all(running.map((octavo) => octavo.stop()))))
  const proxy = await openProxy(places.map(({ PORT }) => PORT))
  const from = (port: string) => async () => {
    const answer = await fetch(`${proxy}/api/health`).catch(() => undefined)
    return answer?.status === 200 && answer.headers.get('x-process') === `at-${port}`
  }
  for (const { PORT } of places) await expect.poll(from(PORT)).toBe(true)

  const over = new AbortController()
  const answers = new Map<string, number>()
  async function read(): Promise<void> {
    while (!over.signal.aborted) {
      const asked = fetch(`${proxy}/api/collections/bookshelves/records`)
      const what = await asked.then(
        async (answer) => `${answer.status} ${answer.status === 200 ? '' : await answer.text()}`,
        (error: unknown) => String(error),
      )
      answers.set(what, (answers.get(what) ?? 0) + 1)
    }
  }
  const reading = [read(), read(), read(), read()]
  for (const [n, place] of places.entries()) {
    expect(await running[n]?.stop()).toBe(0)
    running[n] = await startOctavo({ ...shared, ...place })
    await expect.poll(from(place.PORT)).toBe(true)
  }
  over.abort()
  await Promise.all(reading)
  expect([...answers.keys()]).toEqual(['200 '])
})
