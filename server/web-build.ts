import { spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { StartError } from './data-folder.ts'

const root = join(import.meta.dirname, '..')
const entry = join(root, 'build/server/index.js')

/**
 * Builds the web if it was never built or its sources are newer than the build.
 *
 * @throws StartError with the builder's last words if it fails
 */
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
    throw new StartError(`The web could not be built: ${lastLine(result.stderr || result.stdout)}`)
}

/** @returns the built screens */
export async function loadWebBuild(): Promise<ServerBuild> {
  return (await import(pathToFileURL(entry).href)) as ServerBuild
}

function isFresh(): boolean {
  if (!existsSync(entry)) return false
  const built = statSync(entry).mtimeMs
  const sources = globSync(['web/**/*', 'shared/*', 'package-lock.json', '*.config.ts'], {
    cwd: root,
  })
  return sources.every((file) => statSync(join(root, file)).mtimeMs <= built)
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'no reason given'
}
