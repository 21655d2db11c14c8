import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startOctavo } from '#tests/octavo.ts'

const clients = 300

// 16 s: Octavo waits ten for the rest of a request, and looks every five.
test('who says half a sentence and waits keeps nobody else out, and is parted with', async () => {
  const octavo = await startOctavo()
  onTestFinished(async () => void (await octavo.stop()))
  const { hostname, port } = new URL(octavo.url)
  const endings = Array.from({ length: clients }, async (_, n) => {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    const said: string[] = []
    socket.on('data', (piece) => said.push(piece.toString()))
    await once(socket, 'connect')
    // Some say nothing at all.
    if (n % 3) socket.write('POST /api/collections/users/records HTTP/1.1\r\nHost: here\r\n')
    await once(socket, 'close')
    return said.join('')
  })
  for (const path of ['/', '/api/health', '/api/v1/explore'])
    expect([path, (await fetch(octavo.url + path)).status]).toEqual([path, 200])
  const ends = await Promise.all(endings)
  for (const end of ends) expect(end).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
  expect((await fetch(octavo.url)).status).toBe(200)
})
