import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OnCleanup } from '#tests/cleanup.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openMailServer } from '#tests/smtp.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'

export const engines = ['SQLite', 'PostgreSQL'] as const

/**
 * What outlives a process: its data folder, its database, the mail server beside it. All of it, and
 * the process that was started last, is gone after the test.
 */
export async function openInstallation(
  engine: (typeof engines)[number],
  settings: Readonly<Record<string, string>> = {},
  onCleanup: OnCleanup = onTestFinished,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'octavo-lasting-'))
  onCleanup(() => rmSync(dataDir, { recursive: true, force: true }))
  await copyStarterIndex(dataDir)
  if (engine === 'SQLite') await copyLibrary(join(dataDir, 'octavo.db'))
  const post = await openMailServer()
  onCleanup(() => post.close())
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL:
      settings['DATABASE_URL'] ?? (engine === 'SQLite' ? '' : await newMigratedUrl(onCleanup)),
    SMTP_URL: post.url,
    PLAN_DEFAULT: 'premium',
    ...settings,
  }
  return {
    dataDir,
    post,
    /** Starts a process on it. */
    start: async () => {
      const octavo = await startOctavo(env)
      onCleanup(async () => void (await octavo.stop()))
      return octavo
    },
  }
}

/** Starts a process on a migrated PostgreSQL database. @param url of the database, or of a line to it */
export async function openOn(url: string, onCleanup: OnCleanup) {
  const { post, start } = await openInstallation('PostgreSQL', { DATABASE_URL: url }, onCleanup)
  return { octavo: await start(), post }
}
