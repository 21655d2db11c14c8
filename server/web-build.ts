import { spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { StartError } from './data-folder.ts'

/** The screens, from a finished build or from sources that are being worked on. */
export interface Web {
  /** Asked for at every page, so that development can replace it. */
  load: () => Promise<ServerBuild>
  /** Folder of the files a browser fetches; absent in development, where the middleware serves. */
  files?: string
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
  close?: () => Promise<void>
}

const root = join(import.meta.dirname, '..')
const entry = join(root, 'build/server/index.js')

/**
 * The built web; built now if it never was, or if its sources are newer than the build.
 *
 * @throws StartError with the builder's last words if it cannot be built
 */
export async function builtWeb(): Promise<Web> {
  ensureWebBuild()
  const build = (await import(pathToFileURL(entry).href)) as ServerBuild
  return { load: () => Promise.resolve(build), files: join(root, 'build/client') }
}

/** The web from its sources, replaced in the browser as they change. */
export async function developmentWeb(server: Server): Promise<Web> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root,
    server: { middlewareMode: true, hmr: { server } },
    appType: 'custom',
  })
  return {
    load: async () =>
      (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild,
    middleware: vite.middlewares,
    close: () => vite.close(),
  }
}

/** @throws StartError if the builder fails */
export function ensureWebBuild(): void {
  if (isFresh()) return
  console.log('Building the web, once; this takes a few seconds ...')
  const cli = join(root, 'node_modules/@react-router/dev/bin.cjs')
  const result = spawnSync(process.execPath, [cli, 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (result.status !== 0 || !existsSync(entry))
    throw new StartError(
      `The web could not be built: ${firstError(result.stderr || result.stdout)}`,
    )
}

function isFresh(): boolean {
  if (!existsSync(entry)) return false
  const built = statSync(entry).mtimeMs
  const sources = globSync(['web/**/*', 'shared/*', 'package-lock.json', '*.config.ts'], {
    cwd: root,
  })
  return sources.every((file) => statSync(join(root, file)).mtimeMs <= built)
}

function firstError(text: string): string {
  const lines = text.trim().split('\n')
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim()
}
