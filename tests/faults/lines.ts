import { linkSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OnCleanup } from '#tests/cleanup.ts'

/** What becomes of a connection: it reaches the server, or hears something else, or nothing. */
type Manner = 'through' | 'hangs' | 'ends' | Buffer

/** A socket in a folder, as PostgreSQL makes it, that leads to the real one or fails in many ways. */
export async function openSocket(url: string, onCleanup: OnCleanup) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-line-'))
  const file = join(folder, '.s.PGSQL.5432')
  const real = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const ends = new Set<Socket>()
  let manner: Manner = 'through'
  let server: Server | undefined
  const keep = (end: Socket) => {
    ends.add(end)
    end.on('error', () => undefined).on('close', () => ends.delete(end))
    return end
  }
  const hangUp = () => ends.forEach((end) => end.destroy())
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(0)))
    server = undefined
    hangUp()
    await closed
  }
  async function open(next: Manner): Promise<void> {
    await close()
    rmSync(file, { force: true })
    manner = next
    server = createServer((here) => {
      keep(here)
      if (manner === 'ends') here.destroy()
      else if (manner === 'through') {
        const there = keep(connect(real))
        here.on('close', () => there.destroy())
        there.on('close', () => here.destroy())
        here.pipe(there).pipe(here)
      } else if (manner !== 'hangs') here.once('data', () => here.end(manner as Buffer))
    })
    await new Promise<void>((resolve) => server?.listen(file, resolve))
  }
  await open('through')
  onCleanup(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: `postgres://octavo@localhost${new URL(url).pathname}?host=${encodeURIComponent(folder)}`,
    open,
    /** Nobody listens, and the socket is gone, or is left behind as by a server that was killed. */
    async gone(leftBehind: boolean): Promise<void> {
      const link = `${file}-kept`
      if (leftBehind) {
        await open('through')
        linkSync(file, link)
      }
      await close()
      if (leftBehind) linkSync(link, file)
      rmSync(link, { force: true })
    },
  }
}

/** A line to a PostgreSQL server that can be cut, as when the server or the network goes away. */
export async function openPort(url: string, onCleanup: OnCleanup) {
  const { searchParams, pathname } = new URL(url)
  const socket = join(searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const ends = new Set<Socket>()
  const line = createServer((here) => {
    const there = connect(socket)
    for (const end of [here, there]) {
      ends.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        ends.delete(end)
        here.destroy()
        there.destroy()
      })
    }
    here.pipe(there).pipe(here)
  })
  const open = (port: number) =>
    new Promise<void>((resolve) => line.listen(port, '127.0.0.1', resolve))
  await open(0)
  const { port } = line.address() as AddressInfo
  const cut = () =>
    new Promise<void>((resolve) => {
      line.close(() => resolve())
      for (const end of ends) end.destroy()
    })
  onCleanup(() => (line.listening ? cut() : undefined))
  return { url: `postgres://octavo@127.0.0.1:${port}${pathname}`, cut, mend: () => open(port) }
}
