import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres, openSqlite } from '#records/index.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { engines, newFolder, tryCommand } from '#tests/faults/backups.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'

/** @returns what is in a folder of backups, and may be read as one */
const backupsIn = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('.'))

const made = /^octavo-scheduled-\d{8}T\d{6}Z$/

describe.for(engines)('scheduled backups ($engine)', ({ engine, possible }) => {
  async function openPlace() {
    const DATA_DIR = newFolder()
    await copyStarterIndex(DATA_DIR)
    if (engine === 'SQLite') await copyLibrary(join(DATA_DIR, 'octavo.db'))
    const DATABASE_URL = engine === 'SQLite' ? '' : await newMigratedUrl()
    const BACKUP_TO = join(newFolder(), 'backups')
    const env = { DATA_DIR, DATABASE_URL, BACKUP_TO, LOG_LEVEL: 'info' }
    const query = async (sql: string) => {
      await using database = DATABASE_URL
        ? await openPostgres(DATABASE_URL)
        : openSqlite(join(DATA_DIR, 'octavo.db'))
      return await database.transaction((tx) => tx.query(sql))
    }
    return { env, query }
  }

  async function start(env: Record<string, string>, through: string[] = []) {
    const octavo = await startOctavo(env, through)
    onTestFinished(async () => void (await octavo.stop()))
    return octavo
  }

  test.runIf(possible)('are made when due, not at every start, and can be restored', async () => {
    const { env, query } = await openPlace()
    const first = await start({ ...env, METRICS: '127.0.0.1:0' })
    await expect.poll(() => first.output(), { timeout: 60_000 }).toMatch(/backed up to/)
    const [backup = '', ...more] = backupsIn(env.BACKUP_TO)
    expect(more).toEqual([])
    expect(backup).toMatch(made)
    const door = /^Metrics: (\S+)$/m.exec(first.output())![1]!
    await expect
      .poll(async () => (await fetch(door)).text())
      .toMatch(/^octavo_backup_result\{result="made"\} 1$/m)
    const metrics = await (await fetch(door)).text()
    expect(Number(/^octavo_backup_age_seconds (\S+)$/m.exec(metrics)?.[1])).toBeLessThan(60)
    expect(metrics).toMatch(/^octavo_backup_missing_pictures 0$/m)
    expect(await first.stop()).toBe(0)

    const state = await query('SELECT * FROM backup_schedules')
    const second = await start(env)
    expect(await second.stop()).toBe(0)
    expect(await query('SELECT * FROM backup_schedules')).toEqual(state)
    expect(backupsIn(env.BACKUP_TO)).toEqual([backup])
    await query(`UPDATE backup_schedules SET attempted = attempted - 86400000`)
    const third = await start({ ...env, BACKUP_KEEP: '1' })
    await expect.poll(() => third.output(), { timeout: 60_000 }).toMatch(/backed up to/)
    expect(await third.stop()).toBe(0)
    const [newer = '', ...older] = backupsIn(env.BACKUP_TO)
    expect(older).toEqual([])
    expect(newer > backup).toBe(true)
    if (engine !== 'SQLite') return
    const DATA_DIR = join(newFolder(), 'data')
    const restored = await tryCommand('restore', join(env.BACKUP_TO, newer), { DATA_DIR })
    expect(restored.code).toBe(0)
  })

  test.runIf(possible)('leave nothing behind when the server is stopped or killed', async () => {
    const { env, query } = await openPlace()
    // Copying a picture that is a pipe takes as long as nobody writes into it.
    await query(`INSERT INTO _files VALUES ('users', 'ann', 'face.png', 'ann', '', 4, 9)`)
    const folder = join(env.DATA_DIR, 'files/users/ann')
    expect(spawnSync('sh', ['-c', `mkdir -p ${folder} && mkfifo ${folder}/face.png`]).status).toBe(
      0,
    )
    const isWriting = () => {
      const names = readdirSync(env.BACKUP_TO)
      return names.some((name) => name.endsWith('.partial'))
    }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const octavo = await start(env)
      await expect.poll(isWriting, { timeout: 60_000 }).toBe(true)
      octavo.process.kill(signal)
      await expect.poll(() => readdirSync(env.BACKUP_TO), { timeout: 60_000 }).toEqual([])
    }
    rmSync(join(folder, 'face.png'))
    writeFileSync(join(folder, 'face.png'), 'anna')
    // The killed one's claim lasts for two minutes.
    await query(`UPDATE backup_schedules SET claimed = 0`)
    const octavo = await start(env)
    await expect.poll(() => octavo.output(), { timeout: 60_000 }).toMatch(/backed up to/)
    expect(backupsIn(env.BACKUP_TO)).toEqual([expect.stringMatching(made)])
  })

  test.runIf(possible)('say why they fail, and how old the newest is', async () => {
    const { env, query } = await openPlace()
    const inTheWay = join(mkdtempSync(join(tmpdir(), 'octavo-way-')), 'file')
    onTestFinished(() => rmSync(join(inTheWay, '..'), { recursive: true }))
    writeFileSync(inTheWay, '')
    const BACKUP_TO = join(inTheWay, 'backups')
    const first = await start({ ...env, BACKUP_TO })
    const failed = new RegExp(
      `The backup to ${BACKUP_TO} failed: ${BACKUP_TO} cannot be written: ${inTheWay} is a file`,
    )
    await expect.poll(() => first.output(), { timeout: 60_000 }).toMatch(failed)
    expect(await first.stop()).toBe(0)
    const days = 3 * 86_400_000
    await query(`UPDATE backup_schedules SET created = created - ${days}`)
    const second = await start({ ...env, BACKUP_TO })
    await expect
      .poll(() => second.output())
      .toMatch(
        /Backups to .*: none was made for 3 days; the last attempt failed: \S+ cannot be written/,
      )
  })
})

test.runIf(engines[1]?.possible)(
  'of two processes on one database, one makes each backup',
  async () => {
    const DATABASE_URL = await newMigratedUrl()
    const BACKUP_TO = newFolder()
    const env = { DATABASE_URL, BACKUP_TO, LOG_LEVEL: 'info', SECRET: 'x'.repeat(40) }
    const processes = await Promise.all(
      [1, 2].map(async () => {
        const DATA_DIR = newFolder()
        await copyStarterIndex(DATA_DIR)
        return startOctavo({ ...env, DATA_DIR })
      }),
    )
    onTestFinished(async () => {
      for (const each of processes) await each.stop()
    })
    const output = () => processes.map((each) => each.output()).join('')
    await expect.poll(output, { timeout: 60_000 }).toMatch(/backed up to/)
    expect(backupsIn(BACKUP_TO)).toEqual([expect.stringMatching(made)])
  },
)
