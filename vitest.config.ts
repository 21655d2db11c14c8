import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { messages } from './vite.messages.ts'

const rooms = ['shared', 'threads', 'records', 'catalogue', 'server', 'web']

/** Tests that start the product as a process of its own, often with a browser. */
const served = {
  globalSetup: [] as string[],
  environment: 'node',
  pool: 'threads',
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const

/** Browsers notice a new network address; the others measure what a busy machine disturbs. */
const alone = [
  'tests/served/{other-device,main-thread,two-processes,large-library}.test.ts',
  'tests/journeys/huge-library.test.ts',
]

/** Replaces modules, so it has some of its own. */
const isolated = ['server/import/new-collection.test.ts']

/** Files that take longest. Begun last, one would keep the other workers idle. */
const long = [
  'tests/served/bench.test.ts',
  'tests/faults/killed-library-import.test.ts',
  'tests/journeys/first-day-elsewhere.test.ts',
  'tests/journeys/crawl.test.ts',
  'tests/journeys/offline.test.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(name))
    return (await super.sort(files)).toSorted(
      (a, b) => groupOf(a) - groupOf(b) || Number(isLong(b)) - Number(isLong(a)),
    )
  }
}

export default defineConfig({
  plugins: [messages()],
  test: {
    globalSetup: ['./tests/temporary-folder.ts', './tests/postgres.ts'],
    sequence: { sequencer: LongFirst },
    // Waiting is for what is not there yet, and ends with it: only what is broken waits this long.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            ...rooms.map((room) => `${room}/**/*.test.{ts,tsx}`),
            'tests/{wire,access}/**/*.test.ts',
            'tests/architecture.test.ts',
          ],
          exclude: isolated,
          globalSetup: [],
          environment: 'node',
          pool: 'threads',
          // Files share a worker's modules: many times faster, and nothing here patches globals.
          isolate: false,
          // Vitest leaves one processor out, which is half of two.
          maxWorkers: '100%',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { ...served, name: 'isolated', include: isolated, isolate: true },
      },
      {
        extends: true,
        test: {
          ...served,
          name: 'journeys',
          include: ['tests/{journeys,faults,served}/**/*.test.ts', 'tests/start.test.ts'],
          exclude: alone,
          // A test waits for a fifth of its time; more workers would make each other late.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...served,
          name: 'alone',
          include: alone,
          // As in the product: React's other build draws pages several times slower.
          env: { NODE_ENV: 'production' },
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
