import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
const nodes = ['20.20.2', '22.23.5', '24.22.3', '26.12.1']
const npms = ['9.2.0', '10.8.2', '11.21.2', '12.2.2']
/** Each npm meets all of them, one per Node. */
const variants = [
  { user: 'root', flags: [] },
  { user: 'nobody', flags: ['--ignore-scripts'] },
  { user: 'root', flags: ['--ignore-scripts'] },
  { user: 'nobody', flags: [] },
]
const installs = npms.flatMap((npm, i) =>
  nodes.map((node, j) => ({ npm, node, ...variants[(i + j) % variants.length]! })),
)
// npm 12 needs Node 22. Its fourth variant runs on Node 26 as well.
const possible = installs.map((install) =>
  install.npm.startsWith('12') && install.node.startsWith('20')
    ? { ...install, node: nodes.at(-1)! }
    : install,
)

const isWanted = process.env['NPM_VERSIONS'] === 'all' && process.getuid?.() === 0
if (!isWanted)
  console.log('Installs are not tested: NPM_VERSIONS is not "all", or only root can run them')

/**
 * The README's two commands, and those that everyone types after them, in a fresh clone of the last
 * commit. An hour of downloads, so it only runs when it's asked for.
 */
describe.runIf(isWanted)('npm ci and npm start in a fresh clone', { timeout: 1_800_000 }, () => {
  let tools: string
  let downloads: string

  beforeAll(() => {
    tools = mkdtempSync(join(tmpdir(), 'octavo-npms-'))
    chmodSync(tools, 0o755)
    downloads = join(tools, 'downloads')
    const fetched = (name: string, version: string) => {
      const folder = join(tools, `${name}-${version}`)
      const words = ['install', '--no-save', '--ignore-scripts', '--prefix', folder]
      execFileSync('npm', [...words, `${name}@${version}`], { cwd: tools })
      return join(folder, 'node_modules', name)
    }
    const platform = `node-${process.platform}-${process.arch}`
    const nodeFolders = nodes.map((version) => join(fetched(platform, version), 'bin'))
    const npmFolders = npms.map((version) => fetched('npm', version))
    for (const { node, npm } of possible) {
      const folder = join(tools, `node ${node} npm ${npm}`)
      mkdirSync(folder, { recursive: true })
      const [binary, cli] = [join(folder, 'node'), join(folder, 'npm')]
      if (existsSync(binary)) continue
      symlinkSync(join(nodeFolders[nodes.indexOf(node)]!, 'node'), binary)
      symlinkSync(join(npmFolders[npms.indexOf(npm)]!, 'bin/npm-cli.js'), cli)
    }
  }, 600_000)
  afterAll(() => rmSync(tools, { recursive: true, force: true }))

  test.each(possible)('npm $npm on Node $node as $user $flags', async (install) => {
    const { node, npm, user, flags } = install
    const folder = mkdtempSync(join(tmpdir(), 'octavo-clone-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const clone = join(folder, 'octavo')
    execFileSync('git', ['clone', '--quiet', root, clone])
    // What was downloaded once needn't be again.
    if (existsSync(downloads)) renameSync(downloads, join(clone, '.npm'))
    onTestFinished(() => renameSync(join(clone, '.npm'), downloads))
    execFileSync('chown', ['-R', `${user}:`, folder])
    const authorities = process.env['NODE_EXTRA_CA_CERTS']
    /** Types npm's arguments in the clone. */
    const type = (...words: string[]) => {
      const account = ['--reuid', user, '--regid', groupOf(user), '--clear-groups']
      const child = spawn('setpriv', [...account, 'npm', ...words], {
        cwd: clone,
        env: {
          PATH: `${tools}/node ${node} npm ${npm}:/usr/bin:/bin`,
          // Nobody's home is missing, and they can't make it.
          HOME: user === 'root' ? join(folder, 'home') : '/nonexistent',
          ...(authorities && { NODE_EXTRA_CA_CERTS: authorities }),
          PORT: '0',
          HOST: '127.0.0.1',
          CATALOGUE_SOURCES: '',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const output = Promise.all([text(child.stdout), text(child.stderr)]).then((all) =>
        all.join(''),
      )
      return { child, output, ended: once(child, 'exit') }
    }
    const expectSuccess = async (...words: string[]) => {
      const { ended, output } = type(...words)
      expect(await ended, `npm ${words.join(' ')}: ${await output}`).toEqual([0, null])
    }

    await expectSuccess('ci', ...flags)
    const { child, ended, output } = type('start')
    const url = await new Promise<string>((resolve, reject) => {
      let printed = ''
      child.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        const ready = /^Octavo is ready: (\S+)$/m.exec(printed)?.[1]
        if (ready) resolve(ready)
      })
      void ended.then(async () => reject(new Error(await output)))
    })
    const page = await fetch(url.replace('localhost', '127.0.0.1'))
    expect(page.status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await expectSuccess('run', 'doctor')
    await expectSuccess('run', 'backup', '--', join(folder, 'backups'))
    await expectSuccess('run', 'catalogue:status')
    if (flags.length > 0) return
    await expectSuccess('run', 'format:check')
    await expectSuccess('run', 'types')
    await expectSuccess('test', '--', 'shared/isbn')
  })
})

const groupOf = (user: string) => execFileSync('id', ['--group', user], { encoding: 'utf8' }).trim()
