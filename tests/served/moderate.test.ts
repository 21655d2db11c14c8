import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { childEnv } from '#tests/child-env.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'
import { ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/moderate.ts')
const operator = 'operator@example.org'

async function moderate(env: Record<string, string>, ...words: string[]) {
  const { code, said, failed } = await runModule(command, words, env)
  return { code, said: said + failed }
}

/** Runs the command as npm does. */
const list = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [command, 'list'], { env: { ...childEnv, ...env } })

test.each(['sqlite', 'postgres'] as const)(
  'reports are read and a profile is hidden beside the running server, on %s',
  async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-moderate-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await copyStarterIndex(folder)
    const place: Record<string, string> = { DATA_DIR: folder }
    if (engine === 'postgres') place['DATABASE_URL'] = await newMigratedUrl()
    const missing = await moderate({ DATA_DIR: folder }, 'list')
    expect(missing).toEqual({ code: 1, said: expect.stringContaining('there is no database at') })

    const post = await openMailServer()
    const env = { ...place, SMTP_URL: post.url, PUBLIC_CONTACT_EMAIL: operator }
    const octavo = await startOctavo(env)
    onTestFinished(async () => {
      await octavo.stop()
      await post.close()
    })
    const reporter = signedIn(octavo, await signUp(octavo, post, 'reporter'))
    const reported = signedIn(octavo, await signUp(octavo, post, 'reported'))
    const record = await ownRecord(reported)
    const username = String(record['username'])
    expect(await moderate(place, 'list')).toEqual({ code: 0, said: 'No open reports.' })
    await reporter.send(`/api/v1/users/${username}/reports`, {
      method: 'POST',
      body: { reason: 'other', details: 'The picture is mine.\n\u001B[2JReally.' },
    })
    const mail = await post.nextMail(operator)
    expect(mail.text).toContain('The picture is mine.')

    const { stdout } = await list(place)
    // A command would take an id that begins with a dash for an option.
    const row = new RegExp(`^([a-z\\d]{15})  \\S{10}  ${username}  Something else$`, 'm')
    expect(stdout).toMatch(row)
    const [, id = ''] = row.exec(stdout) ?? []
    expect((await moderate(place, 'show', id)).said).toContain(
      'The picture is mine.\n\uFFFD[2JReally.',
    )

    const page = () => fetch(`${octavo.url}/u/${username}`).then(({ status }) => status)
    expect(await page()).toBe(200)
    expect((await moderate(place, 'hide', username)).code).toBe(0)
    expect(await page()).toBe(404)
    expect((await moderate(place, 'show', id)).said).toContain(`Profile:  ${username}, hidden`)
    await expect(reporter.collection('users').getOne(record.id)).rejects.toMatchObject({
      status: 404,
    })
    expect((await moderate(place, 'unhide', username)).code).toBe(0)
    expect(await page()).toBe(200)
    expect((await moderate(place, 'close', id)).code).toBe(0)
    expect(await moderate(place, 'list')).toEqual({ code: 0, said: 'No open reports.' })

    for (const [words, said] of [
      [['close', id], `there is no open report ${id}`],
      [['show', 'x'], 'there is no report x'],
      [['hide', 'nobody-at-all'], 'there is no reader nobody-at-all'],
      [['hide'], 'say which username: npm run moderate -- hide <username>'],
      [['constructor', 'x'], 'there is no command constructor'],
    ] as const)
      expect(await moderate(place, ...words)).toEqual({
        code: 1,
        said: expect.stringContaining(said),
      })
  },
)
