import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { version } from '#server/version.ts'
import { childEnv } from '#tests/child-env.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'
import { openBucket } from '#tests/s3.ts'
import { openMailServer } from '#tests/smtp.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/doctor.ts')

/** @returns the lines of the command, and its exit code */
async function doctor(env: Record<string, string>, ...words: string[]) {
  const { code, said, failed } = await runModule(command, words, env)
  return { code, lines: [...said.split('\n'), ...failed.split('\n')].filter(Boolean) }
}

test.for(['sqlite', 'postgres'] as const)(
  'npm run doctor finds what is wrong, and what is not, on %s',
  async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await copyStarterIndex(folder)
    const url = engine === 'postgres' ? await newMigratedUrl() : ''
    if (!url) await copyLibrary(join(folder, 'octavo.db'))
    const post = await openMailServer()
    const bucket = await openBucket()
    const { options } = bucket
    const env = {
      DATA_DIR: folder,
      DATABASE_URL: url,
      SMTP_URL: post.url,
      S3_BUCKET: options.bucket,
      S3_ENDPOINT: options.endpoint ?? '',
      S3_ACCESS_KEY_ID: options.accessKeyId,
      S3_SECRET_ACCESS_KEY: options.secretAccessKey,
    }
    const words = [command, '--mail', 'you@example.org']
    const well = await promisify(execFile)(process.execPath, words, {
      env: { ...childEnv, ...env },
    })
    expect({ failed: well.stderr, lines: well.stdout.trim().split('\n') }).toEqual({
      failed: '',
      lines: [
        `ok     Octavo: version ${version}, Node ${process.versions.node}`,
        'ok     Settings: all are valid',
        `ok     Data folder: ${folder} is writable`,
        expect.stringMatching(/^ok {5}Database: .*can be read, schema \d+$/),
        expect.stringMatching(/^ok {5}Disk: [\d.]+ GB free$/),
        'ok     Mail: a test email is on its way to you@example.org',
        'ok     Pictures: files in the bucket pictures can be written, read and deleted',
      ],
    })
    expect((await post.nextMail('you@example.org')).text).toContain('Octavo can send email.')

    await Promise.all([post.close(), bucket.close()])
    const ill = await doctor(env)
    expect(ill.code).toBe(1)
    expect(ill.lines.slice(-2)).toEqual([
      expect.stringMatching(/^WRONG {2}Mail: .*ECONNREFUSED.*\. To do: check SMTP_URL/),
      expect.stringMatching(/^WRONG {2}Pictures: .*ECONNREFUSED.*\. To do: check the S3 settings/),
    ])

    const unsent = await doctor({ ...env, SMTP_URL: '' }, '--mail', 'you@example.org')
    expect(unsent.lines).toContainEqual(
      expect.stringMatching(/^WRONG {2}Mail: no test email was sent, as SMTP_URL is not set\./),
    )

    const octavo = await startOctavo(env)
    onTestFinished(async () => void (await octavo.stop()))
    await expect.poll(() => octavo.output()).toMatch(/The mail server of SMTP_URL cannot be used/)
    await expect.poll(() => octavo.output()).toMatch(/The bucket of S3_BUCKET cannot be used/)

    const local = { DATA_DIR: join(folder, 'nowhere'), DATABASE_URL: url }
    const lost = await doctor(local)
    expect(lost).toMatchObject({ code: 1 })
    expect(lost.lines[2]).toMatch(/^WRONG {2}Data folder: ENOENT/)
    expect(readdirSync(folder)).not.toContain('nowhere')
    expect(await doctor({ ...env, S3_BUCKET: '' })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^S3_BUCKET must be set together with/)],
    })
  },
)
