import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** A proxy on this machine with as little configuration as it starts with. */
interface Setup {
  command: 'nginx' | 'haproxy' | 'caddy'
  /** @returns the configuration of a proxy at one port in front of a server at another */
  config: (port: number, server: number, folder: string) => string
  words: (file: string, folder: string) => string[]
}

const nginx = (lines: string): Setup => ({
  command: 'nginx',
  config: (port, server, folder) => {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
    return `daemon off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${paths} server { listen 127.0.0.1:${port};
location / { proxy_pass http://127.0.0.1:${server}; ${lines} } } }
`
  },
  words: (file, folder) => ['-c', file, '-p', folder],
})

export const bareProxies: Readonly<Record<string, Setup>> = {
  'nginx, HTTP/1.0': nginx('proxy_http_version 1.0;'),
  'nginx, HTTP/1.0 and Host': nginx('proxy_http_version 1.0; proxy_set_header Host $host;'),
  'nginx, HTTP/1.1': nginx('proxy_http_version 1.1;'),
  'nginx, HTTP/1.1 and Host': nginx('proxy_http_version 1.1; proxy_set_header Host $host;'),
  HAProxy: {
    command: 'haproxy',
    config: (port, server) => `defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend all
  bind 127.0.0.1:${port}
  default_backend octavo
backend octavo
  server octavo 127.0.0.1:${server}
`,
    words: (file) => ['-db', '-f', file],
  },
  Caddy: {
    command: 'caddy',
    config: (port, server) => `{
  admin off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${server}
}
`,
    words: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

/** @returns whether the proxy is installed; if not, the log says what is skipped */
export function hasProxy({ command }: Setup): boolean {
  const { error } = spawnSync(command, ['-v'], { env: environment(tmpdir()) })
  if (error) console.warn(`${command} is not installed, and what needs it is skipped`)
  return !error
}

/**
 * Starts a proxy in front of a server.
 *
 * @returns its port, and how to end it
 * @throws with what it printed when it does not start
 */
export async function startBareProxy(
  { command, config, words }: Setup,
  server: number,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), `octavo-${command}-`))
  const port = await freePort()
  const file = join(folder, 'config')
  writeFileSync(file, config(port, server, folder))
  const child = spawn(command, words(file, folder), {
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (child.exitCode === null && !(await listens(port))) await setTimeout(20)
  if (child.exitCode !== null) throw new Error(`${command} did not start: ${printed}`)
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Proxies of Debian are in /usr/sbin; what they keep stays in the folder. */
function environment(folder: string) {
  const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`
  return { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
