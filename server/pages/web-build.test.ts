import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFolder } from './web-build.ts'

const run = promisify(execFile)

function room() {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const make = (name: string) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'entry'), name)
    return join(folder, name)
  }
  return { folder, make, entry: () => readFileSync(join(folder, 'build/entry'), 'utf8') }
}

test('a build takes the place of the one before, whole, and nothing else is left', () => {
  const { folder, make, entry } = room()
  for (const name of ['first', 'second']) {
    replaceFolder(join(folder, 'build'), make(name))
    expect(entry()).toBe(name)
  }
  expect(readdirSync(folder)).toEqual(['build'])
})

test('of builds that are finished at the same moment one stays, whole', async () => {
  const { folder, make, entry } = room()
  const script = `
    import { cpSync } from 'node:fs'
    import { replaceFolder } from './server/pages/web-build.ts'
    const [of, name] = process.argv.slice(1)
    for (let n = 0; n < 100; n++) {
      cpSync(of + '/' + name, of + '/' + name + n, { recursive: true })
      replaceFolder(of + '/build', of + '/' + name + n)
    }`
  const builders = ['one', 'other'].map((name) => {
    make(name)
    const args = ['--input-type=module-typescript', '-e', script, folder, name]
    return run(process.execPath, args, { cwd: dirname(dirname(import.meta.dirname)) })
  })
  await Promise.all(builders)
  expect(['one', 'other']).toContain(entry())
})
