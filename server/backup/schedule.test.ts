import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished, test, vi } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { describeBackups } from './last-backup.ts'
import { removeExpired } from './retention.ts'
import { scheduleBackups } from './schedule.ts'
import {
  claim,
  claimBackup,
  readSchedule,
  recordBackup,
  recordFailure,
  releaseClaim,
  renewClaim,
} from './schedule-state.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-03-14T02:00:00Z')

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-schedule-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describeMigratedDatabases('the schedule of backups', (open) => {
  const folder = '/mnt/backups'
  const made = { name: 'octavo-scheduled-20260314T020000Z', missing: 0 }

  it('gives each backup to one of several processes, and the next when it is due', async () => {
    const database = await open()
    const claimAt = (now: number) => claimBackup(database, folder, day, now)
    const claims = await Promise.all([claimAt(start), claimAt(start), claimAt(start)])
    const [id, ...others] = claims.filter(Boolean)
    expect(id).toEqual(expect.any(String))
    expect(others).toEqual([])
    await recordBackup(database, folder, start, made)
    expect(await readSchedule(database, folder)).toMatchObject({ ...made, id, result: 'made' })
    expect(await claimAt(start + day - 1)).toBeUndefined()
    expect(await claimAt(start + day)).toBe(id)
    // Another folder has a schedule of its own.
    expect(await claimBackup(database, '/mnt/others', day, start)).not.toBe(id)
  })

  it('leaves a claim to the process that renews it, and takes over that of a killed one', async () => {
    const database = await open()
    const claimAt = (now: number) => claimBackup(database, folder, day, now)
    await claimAt(start)
    await renewClaim(database, folder, start, start + claim / 2)
    expect(await claimAt(start + claim)).toBeUndefined()
    const later = start + claim * 2
    expect(await claimAt(later)).toBeDefined()
    // The one that was taken over reports nothing any more.
    await recordFailure(database, folder, start, 'too late')
    await renewClaim(database, folder, start, later + day)
    expect(await readSchedule(database, folder)).toMatchObject({ attempted: later, result: '' })
    // One that was stopped is made at once.
    await releaseClaim(database, folder, later)
    expect(await claimAt(later + 1)).toBeDefined()
  })

  it('tries again after a failure within an hour, and after the clock was set back', async () => {
    const database = await open()
    const claimAt = (now: number, every = day) => claimBackup(database, folder, every, now)
    await claimAt(start)
    await recordFailure(database, folder, start, 'the disk is full')
    expect(await readSchedule(database, folder)).toMatchObject({
      result: 'failed',
      failure: 'the disk is full',
      made: 0,
    })
    expect(await claimAt(start + hour - 1)).toBeUndefined()
    expect(await claimAt(start + 30 * minute, 20 * minute)).toBeDefined()
    await recordBackup(database, folder, start + 30 * minute, made)
    expect(await claimAt(start - 400 * day)).toBeDefined()
  })

  it('warns once a day while the newest backup is too old', async () => {
    const database = await open()
    const now = Date.now()
    // Another process is making the first one, and has been for three days.
    await claimBackup(database, folder, day, now)
    await database.transaction((tx) =>
      tx.query(`UPDATE backup_schedules SET created = ${now - 3 * day}`),
    )
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    const backups = { folder, every: day, keep: 30 }
    const schedule = scheduleBackups(
      { dataDir: '', databaseUrl: undefined, backups },
      database,
      log,
    )
    onTestFinished(() => schedule.close())
    const warning = expect.stringContaining(
      `Backups to ${folder}: none was made for 3 days`,
    ) as string
    await expect.poll(() => lines).toEqual([warning])
    vi.advanceTimersByTime(23 * hour)
    const warnings = () => {
      vi.advanceTimersByTime(minute)
      return lines
    }
    await expect.poll(warnings, { timeout: 20_000 }).toEqual([warning, warning])
    expect(performance.now()).toBeGreaterThan(day)
  })
})

test('a backup that is late, failed, incomplete or not there is a problem', () => {
  const folder = newFolder()
  const schedule = { folder, every: day, keep: 30 }
  const name = 'octavo-scheduled-20260314T020000Z'
  const backup = join(folder, name)
  mkdirSync(backup)
  const base = { id: 'x', created: start, attempted: start, failure: '', name, missing: 0 }
  const state = { ...base, result: 'made', made: start } as const
  const at =
    (now: number, change: object = {}) =>
    () =>
      describeBackups({ ...state, ...change }, schedule, now)
  expect(describeBackups(undefined, schedule, start)).toMatch(/^none in .* yet/)
  expect(at(start + 3 * hour)()).toBe(`the newest, ${backup}, is 3 hours old`)
  expect(at(start - day)()).toBe(`the newest, ${backup}, is 0 minutes old`)
  // A clock ahead has dated it.
  expect(at(start - day, { created: start - 4 * day })).toThrow('none was made for 3 days')
  expect(at(start + 3 * day)).toThrow('the newest is 3 days old')
  const failed = { result: 'failed', failure: 'no room', attempted: start + day }
  expect(at(start + day + minute, failed)).toThrow(
    'the last attempt, 1 minute ago, failed: no room',
  )
  expect(at(start + 3 * day, failed)).toThrow(
    'the newest is 3 days old; the last attempt failed: no room',
  )
  expect(at(start + 3 * day, { name: '', made: 0 })).toThrow('none was made for 3 days')
  expect(at(start, { missing: 2 })).toThrow(/is 0 minutes old and lacks lost pictures: 2$/)
  rmSync(backup, { recursive: true })
  expect(at(start)).toThrow(/^ENOENT.*octavo-scheduled/)
})

test('only the oldest backups of the schedule are deleted, never the last whole one', async () => {
  const folder = newFolder()
  const put = (name: string, manifest: object) => {
    mkdirSync(join(folder, name))
    const whole = { octavo: 'backup', taken: '2026-03-14T02:00:00Z', database: 'sqlite', schema: 1 }
    const text = { ...whole, pictures: { count: 0, bytes: 0 }, secret: false, ...manifest }
    writeFileSync(join(folder, name, 'manifest.json'), JSON.stringify(text))
  }
  const nameOf = (date: number) => `octavo-scheduled-202603${date}T020000Z`
  for (const date of [10, 11, 12, 13, 14]) put(nameOf(date), { schedule: 'own' })
  put(nameOf(15), { schedule: 'other' })
  put(nameOf(16), {})
  mkdirSync(join(folder, nameOf(17)))
  put('octavo-20260309T020000Z', {})
  put('octavo-before-schema-27-20260309T020000Z', { schedule: 'own' })
  const others = [15, 16, 17].map(nameOf)
  const left = () => readdirSync(folder).filter((name) => name.startsWith('octavo-scheduled'))
  await removeExpired(folder, 'own', 3)
  expect(left()).toEqual([...[12, 13, 14].map(nameOf), ...others])
  for (const date of [18, 19, 20]) put(nameOf(date), { schedule: 'own', missing: ['a/b/c.png'] })
  await removeExpired(folder, 'own', 2)
  expect(left()).toEqual([nameOf(14), ...others, ...[19, 20].map(nameOf)])
  expect(readdirSync(folder)).toHaveLength(8)
  // What a clock ahead has dated doesn't outlast what is made since.
  put(nameOf(18), { schedule: 'own' })
  await removeExpired(folder, 'own', 2, Date.parse('2026-03-18T02:00:10Z'))
  expect(left()).toEqual([nameOf(14), ...others, nameOf(18)])
  expect(existsSync(join(folder, 'octavo-20260309T020000Z'))).toBe(true)
})
