import { spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseCLI, startVitest } from 'vitest/node'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

function checkNode(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 24) return
  process.stderr.write(
    `Octavo needs Node 24 or later and found ${process.versions.node}: run \`npm ci\` with optional dependencies, it brings its own.\n`,
  )
  process.exit(1)
}

/** Builds the web when it was never built or a source is newer than the build. */
function buildWeb(): void {
  const built = join(root, 'build/server/index.js')
  if (existsSync(built) && newestSource() < statSync(built).mtimeMs) return
  const command = join(root, 'node_modules/@react-router/dev/bin.cjs')
  const build = spawnSync(process.execPath, [command, 'build'], { cwd: root, encoding: 'utf8' })
  if (build.status === 0) return
  process.stderr.write(`${build.stdout}${build.stderr}\nThe web could not be built.\n`)
  process.exit(1)
}

function newestSource(): number {
  const sources = globSync(
    ['web/**/*', 'shared/**/*', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json'],
    { cwd: root },
  )
  return Math.max(0, ...sources.map((file) => statSync(join(root, file)).mtimeMs))
}

async function runTests(): Promise<number> {
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
  const vitest = await startVitest('test', filter, { ...options, root, watch: false })
  const modules = vitest.state.getTestModules()
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const passed = tests.filter((test) => test.result().state === 'passed').length
  // A file that could not be loaded and an error outside any test count as a failure each.
  const failed =
    tests.filter((test) => test.result().state === 'failed').length +
    modules.filter((module) => module.errors().length > 0).length +
    vitest.state.getUnhandledErrors().length
  await vitest.close()
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  return failed || !passed ? 1 : 0
}

checkNode()
if (existsSync(join(root, 'react-router.config.ts'))) buildWeb()
process.exitCode = await runTests()
