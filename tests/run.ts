import { execFileSync } from 'node:child_process'
import { dirname, join, relative } from 'node:path'
import {
  createVitest,
  parseCLI,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node'
import { ensureWebBuild } from '#server/pages/web-build.ts'
import { productTestsOf } from './areas.ts'

const root = dirname(import.meta.dirname)

/** More files than this do not fail by a busy machine. */
const mostFilesAgain = 10

async function runTests(): Promise<number> {
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
  const { changed, ...rest } = options
  const files = changed ? changedFiles(changed === true ? 'HEAD' : changed) : undefined
  const related = files?.map((file) => join(root, file))
  const vitest = await createVitest({ ...rest, ...(related && { related }), root, watch: false })
  try {
    if (files) await runTouched(vitest, files, filter)
    else await vitest.start(filter)
    const broken = vitest.state.getTestModules().filter(isBroken)
    if (process.env['CI'] && broken.length > 0 && broken.length <= mostFilesAgain) {
      process.stdout.write(`\nsecond try of:\n${broken.map(told).join('')}`)
      vitest.state.clearErrors()
      // Each has the machine to itself this time.
      for (const module of broken)
        await vitest.runTestSpecifications([module.toTestSpecification()])
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
    return failed || !(passed || files) ? 1 : 0
  } finally {
    await vitest.close()
  }
}

/** @returns the files that were changed since a commit was branched off, also those not committed */
function changedFiles(since: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [
    ...git('diff', '--name-only', '--merge-base', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

/** These read the sources instead of importing them. */
const readersOfSources = ['tests/architecture.test.ts', 'web/i18n/sentences.test.ts']

/** More files of units than this take longer than a minute. */
const mostUnits = 40

/**
 * Runs the units that import a changed file, those that read all sources, and of the tests that start
 * the product the few that look at what changed. Where nearly everything imports a file, only the
 * units of its folder run, or those of its room if the folder has none.
 */
async function runTouched(vitest: Vitest, files: string[], filter: string[]): Promise<void> {
  const named = new Set([...files.flatMap(productTestsOf), ...readersOfSources])
  const pathOf = ({ moduleId }: TestSpecification) => relative(root, moduleId)
  const importing = (await vitest.getRelevantTestSpecifications(filter)).filter(
    (test) => ['unit', 'isolated'].includes(test.project.name) && !named.has(pathOf(test)),
  )
  const isNear = (file: string) => (test: TestSpecification) =>
    folderOf(pathOf(test)) === folderOf(file)
  const isOfRoom = (file: string) => (test: TestSpecification) =>
    roomOf(pathOf(test)) === roomOf(file)
  const near = new Set(
    files.flatMap((file) => {
      const found = importing.filter(isNear(file))
      return found.length > 0 ? found : importing.filter(isOfRoom(file))
    }),
  )
  const units = importing.length > mostUnits ? [...near] : importing
  const rest = importing.length - units.length
  if (rest > 0) process.stdout.write(`${rest} more files of units import what changed\n`)
  const others = (await vitest.globTestSpecifications(filter)).filter((test) =>
    named.has(pathOf(test)),
  )
  await vitest.standalone()
  await vitest.runTestSpecifications([...units, ...others])
}

/** @returns such as `records/read` */
const folderOf = (file: string) => dirname(file).split('/').slice(0, 2).join('/')
const roomOf = (file: string) => file.split('/')[0]

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
  npm test -- --changed                what the changes since the last commit touch
  npm test -- --changed main           what the changes since that commit touch
  npm test -- -t "two minutes"         tests whose name has these words

What a change touches: the units that import a changed file (of one that nearly everything imports, the
units of its folder or room), and the tests that start the product and look at its area by tests/areas.ts.

Any other option is Vitest's: https://vitest.dev/guide/cli.
`

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(help)
} else {
  await ensureWebBuild()
  process.exitCode = await runTests()
}
