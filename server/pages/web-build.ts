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
import { StartError } from '#server/storage/data-folder.ts'
import { stopChildWithParent } from '#server/runtime/signals.ts'

/** The screens, from a finished build or from sources in development. */
export interface Web {
  /** Called for every page, so that development can replace the build. */
  load: () => Promise<ServerBuild>
  /**
   * The folder of the files that a browser fetches; absent in development, where `middleware`
   * serves them.
   */
  files?: string
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
  close?: () => Promise<void>
}

/** The folder of the program, in which the screens are built. */
export const programFolder = join(import.meta.dirname, '../..')
const entry = join(programFolder, 'build/server/index.js')

/**
 * Loads the built web, after building it if it never was or its sources are newer.
 *
 * @throws StartError with the builder's error if the build fails
 */
export async function builtWeb(): Promise<Web> {
  await ensureWebBuild()
  const build = (await import(pathToFileURL(entry).href)) as ServerBuild
  return { load: () => Promise.resolve(build), files: join(programFolder, 'build/client') }
}

/** Serves the web from its sources, with hot replacement. */
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
 * Builds the web if it is out of date. Several processes may build at once: each builds in its own
 * folder and then renames it into place.
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
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await ended
    const made = join(fresh, 'server/index.js')
    if (code !== 0 || !existsSync(made))
      throw new StartError(`The screens could not be built: ${firstError(errors || output)}`)
    // Sources that changed during the build must count as newer.
    utimesSync(made, began, began)
    replaceFolder(join(programFolder, 'build'), fresh)
  } finally {
    removeFresh()
  }
}

/** @throws StartError if the account can't write to the program's folder */
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
 * Replaces a folder with another. If another process replaces it at the same moment, theirs stays.
 */
export function replaceFolder(place: string, fresh: string): void {
  const old = `${place}-${randomUUID()}`
  try {
    renameSync(place, old)
  } catch (error) {
    // There was none, or another process is replacing it.
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
    ['web/**/*', 'shared/**/*', 'package-lock.json', '*.config.ts', 'vite.*.ts'],
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
