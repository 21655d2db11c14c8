import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
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

/**
 * Builds the web if that is due. Others may do so at the same time: each build is made in a folder
 * of its own and is there whole or not at all.
 *
 * @throws StartError if the builder fails
 */
export function ensureWebBuild(): void {
  if (isFresh()) return
  console.log('Building the web, once; this takes a few seconds ...')
  const began = new Date()
  const fresh = join(root, `build-${randomUUID()}`)
  try {
    const cli = join(root, 'node_modules/@react-router/dev/bin.cjs')
    const result = spawnSync(process.execPath, [cli, 'build'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production', BUILD_FOLDER: basename(fresh) },
    })
    const made = join(fresh, 'server/index.js')
    if (result.status !== 0 || !existsSync(made))
      throw new StartError(
        `The web could not be built: ${firstError(result.stderr || result.stdout)}`,
      )
    // What was changed while it was built is not in it.
    utimesSync(made, began, began)
    replaceFolder(join(root, 'build'), fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Puts a folder in the place of another, which is removed. When somebody else puts one there at the
 * same moment, theirs stays.
 */
export function replaceFolder(place: string, fresh: string): void {
  const old = `${place}-${randomUUID()}`
  try {
    renameSync(place, old)
  } catch (error) {
    // None was there, or somebody else takes it away just now.
    if (codeOf(error) !== 'ENOENT') throw error
  }
  try {
    renameSync(fresh, place)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error))) throw error
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code)

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
