import { dirname } from 'node:path'
import { parseCLI, startVitest } from 'vitest/node'
import { ensureWebBuild } from '#server/web-build.ts'

const root = dirname(import.meta.dirname)

function checkNode(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 24) return
  process.stderr.write(
    `Octavo needs Node 24 or later and found ${process.versions.node}: run \`npm ci\` with optional dependencies, it brings its own.\n`,
  )
  process.exit(1)
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
  for (const test of tests.filter((one) => one.diagnostic()?.flaky)) {
    const why = test
      .result()
      .errors?.map((error) => error.message)
      .join('\n')
    process.stdout.write(
      `\nsecond try: ${test.module.relativeModuleId} > ${test.fullName}\n${why}\n`,
    )
  }
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  return failed || !passed ? 1 : 0
}

const help = `npm test -- [options] [what to run, part of a path]

  npm test                             everything
  npm test -- records/filter           the tests of one folder
  npm test -- --project unit           units and the wire alone
  npm test -- --project journeys       what starts the product, and browsers
  npm test -- -t "two minutes"         tests whose name has these words

Any other option is Vitest's: https://vitest.dev/guide/cli.
`

checkNode()
if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(help)
} else {
  ensureWebBuild()
  process.exitCode = await runTests()
}
