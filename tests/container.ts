import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'
import type { Octavo } from './octavo.ts'

const root = dirname(import.meta.dirname)

/** An image, mounted to be run. */
export interface Image {
  readonly config: {
    User: string
    Env: string[]
    Cmd: string[]
    Volumes: Record<string, object>
    ExposedPorts: Record<string, object>
    Healthcheck: { Test: string[] }
  }
  /** Megabytes of all its layers, uncompressed. */
  readonly size: number
  /** Starts what it starts by itself, with a folder as its volume. */
  start(volume: string, env?: Record<string, string>): Promise<Octavo>
  /** Runs another command in it. */
  run(
    volume: string,
    command: readonly string[],
    env?: Record<string, string>,
  ): { code: number | null; said: string }
  close(): void
}

/** @returns why no image can be tested here; undefined if one can */
export function whyNoImage(wanted: string | undefined): string | undefined {
  if (!wanted) return 'CONTAINER is not set: it names an image, or is "build" to make one'
  if (process.getuid?.() !== 0) return 'only root can mount an image'
  const programs = ['buildah', 'unshare', ...(wanted === 'build' ? ['debootstrap'] : [])]
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error)
  return missing.length ? `${missing.join(' and ')} is not installed` : undefined
}

/**
 * Mounts an image and runs it as a container runtime does: on its own root file system, which is
 * read-only, as its user, with a volume. The network is the machine's.
 *
 * @param wanted its name, or "build" to make it from this work tree, on a Debian that debootstrap
 *   fetches, because not every machine reaches a registry of images
 * @throws with what a program printed that failed
 */
export function openImage(wanted: string): Image {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-image-'))
  const own = ['--root', `${folder}/store`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs']
  const isBuilt = wanted === 'build'
  const buildah = (...words: string[]) => run('buildah', ...(isBuilt ? own : []), ...words)
  const image = isBuilt ? build(buildah, folder) : wanted
  const told = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
    Docker: { config: Image['config'] }
  }
  const { config } = told.Docker
  const container = buildah('from', '--pull-never', image)
  const files = buildah('mount', container)
  const inside = (volume: string, command: readonly string[], env: Record<string, string>) => {
    const words = ['--mount', 'sh', '-c', contained, config.User, files, volume, ...command]
    const own = Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s, 2)))
    return { words, env: { ...own, ...env } }
  }
  return {
    config,
    size: Number(/([\d.]+) MB/.exec(buildah('images', '--format', '{{.Size}}', image))?.[1]),
    async start(volume, env) {
      const port = String(await freePort())
      const quiet = { CATALOGUE_SOURCES: '', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', PORT: port }
      const launched = inside(volume, config.Cmd, { ...quiet, ...env })
      const child = spawn('unshare', launched.words, {
        env: launched.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let printed = ''
      const exited = once(child, 'exit').then(([code]) => code as number | null)
      const url = await new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk: Buffer) => {
            printed += chunk.toString()
            const ready = /^Octavo is ready: (\S+)$/m.exec(printed)?.[1]
            if (ready) resolve(ready)
          })
        void exited.then((code) => reject(new Error(`ended with ${code}: ${printed}`)))
      })
      const stop = () => {
        child.kill('SIGTERM')
        return exited
      }
      return { url, process: child, dataDir: volume, output: () => printed, stop }
    },
    run(volume, command, env = {}) {
      const { words, env: all } = inside(volume, command, env)
      const ran = spawnSync('unshare', words, { env: all, encoding: 'utf8' })
      return { code: ran.status, said: ran.stdout + ran.stderr }
    },
    close() {
      buildah('rm', container)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A shell's script: its own name is the user, then come the root, the volume and the command. */
const contained = `set -e
files=$1 volume=$2
shift 2
mount --bind "$files" "$files"
mount -o remount,bind,ro "$files"
mount --bind "$volume" "$files/data"
mount --rbind /proc "$files/proc"
mount --rbind /dev "$files/dev"
exec chroot --userspec="$0" "$files" sh -c 'cd /app && exec "$@"' sh "$@"`

type Buildah = (...words: string[]) => string

/** Builds the Containerfile on stand-ins for its two base images. @returns the image's name */
function build(buildah: Buildah, folder: string): string {
  const debian = join(folder, 'debian')
  run('debootstrap', '--variant=minbase', 'trixie', debian)
  // As the slim images leave it out.
  for (const path of ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache/apt'])
    rmSync(join(debian, path), { recursive: true })
  const container = buildah('from', 'scratch')
  buildah('add', container, debian, '/')
  buildah('commit', container, 'octavo-base')
  const node = realpathSync(process.execPath)
  const npm = dirname(dirname(realpathSync(process.env['npm_execpath'] ?? '')))
  buildah('add', container, node, '/usr/local/bin/node')
  buildah('add', container, npm, '/usr/local/lib/npm')
  const isolated = ['run', '--isolation', 'chroot', container]
  buildah(...isolated, 'ln', '-s', '../lib/npm/bin/npm-cli.js', '/usr/local/bin/npm')
  buildah(...isolated, 'apt-get', 'update')
  buildah(...isolated, 'apt-get', 'install', '--yes', '--no-install-recommends', 'libatomic1')
  // A network may have a certificate authority of its own.
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  if (authorities) {
    buildah('add', container, authorities, '/etc/authorities.pem')
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/authorities.pem', container)
  }
  buildah('commit', '--rm', container, 'octavo-node')
  const bases = ['NODE_IMAGE=localhost/octavo-node', 'BASE_IMAGE=localhost/octavo-base']
  const words = ['build', '--format', 'docker', '--isolation', 'chroot', '--pull-never']
  const named = ['--tag', 'octavo', '--file', join(root, 'Containerfile'), root]
  buildah(...words, ...bases.flatMap((base) => ['--build-arg', base]), ...named)
  return 'localhost/octavo'
}

function run(program: string, ...words: string[]): string {
  const options = { encoding: 'utf8', maxBuffer: 100_000_000 } as const
  const { status, stdout, stderr } = spawnSync(program, words, options)
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr.slice(-4000)}`)
  return stdout.trim()
}
