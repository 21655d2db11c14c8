import { once } from 'node:events'
import { readdirSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { engines, openInstallation } from './installation.ts'
import { openAccounts } from './killed/accounts.ts'
import { openUploads } from './killed/uploads.ts'
import { openWrites } from './killed/writes.ts'

/**
 * The server is killed once for each. How many other answers come after accounts began to be cleared
 * and deleted: from at once to well into the work.
 */
const moments = [0, 2, 8]

// 15 s: the server is killed and starts again several times.
test.for(engines)(
  'R1, R3: loses nothing it acknowledged, no picture and no half of an account when killed (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const { dataDir, post, start } = await openInstallation(engine)
    let octavo = await start()
    const [writes, uploads] = [await openWrites(octavo, post), await openUploads(octavo, post)]
    const avatars: string[] = []

    for (const [round, moment] of moments.entries()) {
      const accounts = await openAccounts(octavo, post, round)
      const ended = once(octavo.process, 'exit')
      const underWay = [writes.begin(octavo), uploads.begin(octavo)]
      const over = Promise.all(underWay.map((one) => one.over))
      await Promise.race([over, Promise.all(underWay.map((one) => one.enough))])
      const settled = accounts.begin()
      for (let n = 0; n < moment; n++) await fetch(`${octavo.url}/api/health`)
      octavo.process.kill('SIGKILL')
      await Promise.all([ended, over, settled])
      octavo = await start()
      for (const work of [writes, uploads]) await work.expectKept(octavo)
      await accounts.expectWhole(octavo)
      avatars.push(accounts.picture)
    }
    if (engine === 'SQLite') expectSound(join(dataDir, 'octavo.db'))

    // Files left over by the kills are deleted once they are old, and no others.
    await uploads.emptyTrash(octavo)
    const names = [...avatars, ...(await uploads.names(octavo))].toSorted()
    // Stopped, or a picture that is being taken away would be gone between being listed and touched.
    await octavo.stop()
    for (const path of stored(dataDir)) utimesSync(path, 0, 0)
    octavo = await start()
    const left = () => stored(dataDir).map((path) => basename(path))
    await vi.waitFor(() => expect(left().toSorted()).toEqual(names), {
      timeout: 20_000,
      interval: 20,
    })
    await uploads.expectKept(octavo)
  },
)

const stored = (dataDir: string) =>
  readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

function expectSound(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  db.close()
}
