import { dirname } from 'node:path'
import { createVitest, parseCLI, type TestCase, type TestModule } from 'vitest/node'
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

/** More files than this do not fail by a busy machine. */
const mostFilesAgain = 10

async function runTests(): Promise<number> {
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
  const vitest = await createVitest({ ...options, root, watch: false })
  try {
    await vitest.start(filter)
    const broken = vitest.state.getTestModules().filter(isBroken)
    if (process.env['CI'] && broken.length > 0 && broken.length <= mostFilesAgain) {
      process.stdout.write(`\nsecond try of:\n${broken.map(told).join('')}`)
      vitest.state.clearErrors()
      await vitest.runTestSpecifications(broken.map((module) => module.toTestSpecification()))
    }
    const modules = vitest.state.getTestModules()
    const tests = modules.flatMap(testsOf)
    const passed = tests.filter((test) => test.result().state === 'passed').length
    // A file or suite whose own code failed and an error outside any test count as a failure each.
    const failed =
      tests.filter(hasFailed).length +
      modules.filter((module) => module.errors().length > 0).length +
      modules.flatMap(brokenSuitesOf).length +
      vitest.state.getUnhandledErrors().length
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
    return failed || !passed ? 1 : 0
  } finally {
    await vitest.close()
  }
}

const testsOf = (module: TestModule) => [...module.children.allTests()]
const hasFailed = (test: TestCase) => test.result().state === 'failed'
/** Vitest skips the tests of a suite whose beforeAll fails. */
const brokenSuitesOf = (module: TestModule) =>
  [...module.children.allSuites()].filter((suite) => suite.errors().length > 0)
const isBroken = (module: TestModule) => !module.ok()

/** What failed in a file at its first try, and why. */
function told(module: TestModule): string {
  const failed = testsOf(module).filter(hasFailed)
  const reasons = [
    ...[module, ...brokenSuitesOf(module)].flatMap((one) =>
      one.errors().map(({ message }) => message),
    ),
    ...failed.map((test) => `${test.fullName}: ${test.result().errors?.[0]?.message}`),
  ]
  return reasons.map((reason) => `${module.relativeModuleId} > ${reason}\n`).join('')
}

const help = `npm test -- [options] [what to run, part of a path]

  npm test                             everything
  npm test -- records/filter           the tests of one folder
  npm test -- --project unit           units and the wire alone
  npm test -- --project journeys       what starts the product, and browsers
  npm test -- --project alone          the same for what needs the machine to itself
  npm test -- -t "two minutes"         tests whose name has these words

Any other option is Vitest's: https://vitest.dev/guide/cli.
`

checkNode()
if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(help)
} else {
  await ensureWebBuild()
  process.exitCode = await runTests()
}
