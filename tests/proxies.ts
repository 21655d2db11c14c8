import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Agent, fetch as send, type RequestInit as SentInit } from 'undici'
import { freePort } from './free-port.ts'

export const proxyNames = ['nginx', 'haproxy', 'caddy'] as const
export type ProxyName = (typeof proxyNames)[number]

/** A proxy from Debian that ends TLS in front of servers, with the configuration of docs/examples. */
export interface Proxy {
  /** Its address: https, with a certificate that nobody vouches for. */
  readonly url: string
  /** Asks by its address, from the loopback address given, with any certificate. */
  fetch(path: string, init?: RequestInit, from?: string): Promise<Response>
  /** What it printed. */
  output(): string
  stop(): Promise<void>
}

const examples = join(dirname(import.meta.dirname), 'docs/examples')
const files = { nginx: 'nginx.conf', haproxy: 'haproxy.cfg', caddy: 'Caddyfile' } as const

/** @returns whether the proxy is installed; if not, the log says what is skipped */
export function hasProxy(name: ProxyName): boolean {
  const { error } = spawnSync(name, [name === 'caddy' ? 'version' : '-v'], {
    env: environment('/'),
  })
  if (error) console.warn(`${name} is not installed, and what needs it is skipped`)
  return !error
}

/**
 * Starts a proxy.
 *
 * @param port of its own, such as {@link freePort} gives
 * @param ports of the servers behind it, which it asks in turn
 * @throws with what it printed when it does not start
 */
export async function startProxy(
  name: ProxyName,
  port: number,
  ports: readonly number[],
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), `octavo-${name}-`))
  makeCertificate(folder)
  const example = readFileSync(join(examples, files[name]), 'utf8')
  const plain = await freePort()
  const config = join(folder, files[name])
  writeFileSync(config, configure[name](example, { folder, port, plain, ports }))
  const child = spawn(name, commands[name](config, folder), {
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const agents = new Map<string, Agent>()
  const agent = (from: string) => {
    const made =
      agents.get(from) ??
      // Over HTTP/2 this client fails what it sends as the proxy renews the connection.
      new Agent({
        connect: { rejectUnauthorized: false },
        localAddress: from,
        connections: 50,
        allowH2: false,
      })
    agents.set(from, made)
    return made
  }
  const url = `https://localhost:${port}`
  const isReady = async () => child.exitCode !== null || (await listens(port))
  while (!(await isReady())) await setTimeout(20)
  if (child.exitCode !== null) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`${name} did not start: ${printed}`)
  }
  return {
    url,
    output: () => printed,
    fetch: async (path, init, from = '127.0.0.2') => {
      const to = new URL(path, url)
      const options = { ...init, dispatcher: agent(from) } as SentInit
      return (await send(to, options)) as unknown as Response
    },
    async stop() {
      for (const one of agents.values()) await one.destroy()
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Setup {
  folder: string
  port: number
  /** Where it answers plain HTTP. */
  plain: number
  ports: readonly number[]
}

/** The example with the ports, names and certificates of the test. */
const configure: Record<ProxyName, (example: string, setup: Setup) => string> = {
  nginx: (example, { folder, port, plain, ports }) => {
    const site = example
      .replace(/^.*server 127\.0\.0\.1:3000(.*)$/m, (_, rest: string) =>
        ports.map((one) => `  server 127.0.0.1:${one}${rest}`).join('\n'),
      )
      .replaceAll(/^ *listen \[::\].*\n/gm, '')
      .replaceAll('listen 80;', `listen 127.0.0.1:${plain};`)
      .replaceAll('listen 443 ', `listen 127.0.0.1:${port} `)
      .replaceAll(/\/etc\/letsencrypt\S*\/(\w+\.pem)/g, `${folder}/$1`)
      .replaceAll('$host', '$http_host')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    )
    // Its workers would otherwise be another account's, and could not write to the folder.
    const user = process.getuid?.() === 0 ? 'user root; ' : ''
    return `${user}daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${paths.join(' ')}
${site}}
`
  },
  haproxy: (example, { folder, port, plain, ports }) =>
    example
      .replace(/^.*server octavo1 127\.0\.0\.1:3000(.*)$/m, (_, rest: string) =>
        ports.map((one, i) => `  server octavo${i} 127.0.0.1:${one}${rest}`).join('\n'),
      )
      .replace('bind :80', `bind 127.0.0.1:${plain}`)
      .replace('bind :443', `bind 127.0.0.1:${port}`)
      .replace(/\/etc\/haproxy\/certs\/\S+/, `${folder}/both.pem`),
  caddy: (example, { folder, port, ports }) =>
    `{
  admin off
  auto_https disable_redirects
  default_bind 127.0.0.1
}
${example
  .replaceAll('127.0.0.1:3000', ports.map((one) => `127.0.0.1:${one}`).join(' '))
  .replace(
    'books.example.org {',
    `https://localhost:${port} {\ntls ${folder}/fullchain.pem ${folder}/privkey.pem`,
  )}`,
}

const commands: Record<ProxyName, (config: string, folder: string) => string[]> = {
  nginx: (config, folder) => ['-c', config, '-p', folder],
  haproxy: (config) => ['-db', '-f', config],
  caddy: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
}

/** Proxies of Debian are in /usr/sbin; what they keep stays in the folder. */
function environment(folder: string) {
  return {
    PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`,
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
}

function makeCertificate(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const [key, certificate] = ['privkey.pem', 'fullchain.pem'].map((file) => join(folder, file))
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
  const made = spawnSync('openssl', [...words.split(' '), '-keyout', key!, '-out', certificate!])
  if (made.status !== 0) throw new Error(`no certificate: ${made.stderr.toString()}`)
  const both = [certificate!, key!].map((file) => readFileSync(file, 'utf8')).join('')
  writeFileSync(join(folder, 'both.pem'), both)
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
