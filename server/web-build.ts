import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { StartError } from './data-folder.ts'
import { stopChildWithParent } from './signals.ts'

/** The screens, from a finished build or from sources that are being worked on. */
export interface Web {
  /** Asked for at every page, so that development can replace it. */
  load: () => Promise<ServerBuild>
  /** Folder of the files a browser fetches; absent in development, where the middleware serves. */
  files?: string
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
  close?: () => Promise<void>
}

/** Where the program is, and its screens are built. */
export const programFolder = join(import.meta.dirname, '..')
const entry = join(programFolder, 'build/server/index.js')

/**
 * The built web; built now if it never was, or if its sources are newer than the build.
 *
 * @throws StartError with the builder's last words if it cannot be built
 */
export async function builtWeb(): Promise<Web> {
  await ensureWebBuild()
  const build = (await import(pathToFileURL(entry).href)) as ServerBuild
  return { load: () => Promise.resolve(build), files: join(programFolder, 'build/client') }
}

/** The web from its sources, replaced in the browser as they change. */
export async function developmentWeb(server: Server): Promise<Web> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root: programFolder,
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
export async function ensureWebBuild(): Promise<void> {
  if (isFresh()) return
  refuseUnwritable()
  console.log('Building the screens, once; this takes a few seconds ...')
  const began = new Date()
  const fresh = join(programFolder, `build-${randomUUID()}`)
  const removeFresh = () => rmSync(fresh, { recursive: true, force: true })
  try {
    const cli = join(programFolder, 'node_modules/@react-router/dev/bin.cjs')
    const child = spawn(process.execPath, [cli, 'build'], {
      cwd: programFolder,
      env: { ...process.env, NODE_ENV: 'production', BUILD_FOLDER: basename(fresh) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    stopChildWithParent(child, removeFresh)
    const ended = once(child, 'close')
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await ended
    const made = join(fresh, 'server/index.js')
    if (code !== 0 || !existsSync(made))
      throw new StartError(`The screens could not be built: ${firstError(complained || said)}`)
    // What was changed while it was built is not in it.
    utimesSync(made, began, began)
    replaceFolder(join(programFolder, 'build'), fresh)
  } finally {
    removeFresh()
  }
}

/** @throws StartError if the account may not write where a build is put */
function refuseUnwritable(): void {
  try {
    accessSync(programFolder, constants.W_OK)
  } catch {
    const state = existsSync(entry) ? 'older than their sources' : 'not built yet'
    throw new StartError(
      `The screens are ${state}, and ${programFolder} cannot be written: run npm run build there as the account that owns it`,
    )
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
  const sources = globSync(
    ['web/**/*', 'shared/*', 'package-lock.json', '*.config.ts', 'vite.*.ts'],
    {
      cwd: programFolder,
    },
  )
  return sources.every((file) => statSync(join(programFolder, file)).mtimeMs <= built)
}

function firstError(text: string): string {
  const lines = text.trim().split('\n')
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim()
}
