import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres, openSqlite, type Database } from '#records/index.ts'
import { newPostgresUrl, newSqliteFile } from '#tests/databases.ts'
import { normalizeAnswer } from './normalize-answer.ts'
import { step } from './random-questions.ts'
import { openFixture, type Fixture } from './fixture.ts'

/** Sequences of twelve requests each: always the same few, or as many others as are wanted. */
const wanted = process.env['PROPERTY_RUNS']
const runs = wanted ? { numRuns: Number(wanted) } : { numRuns: 40, seed: 8 }

/** The service over each database, with the same in it; closed at the end of the test. */
async function openStages(): Promise<Fixture[]> {
  const databases: Database[] = [
    openSqlite(await newSqliteFile()),
    await openPostgres(await newPostgresUrl()),
  ]
  return Promise.all(
    databases.map(async (database) => {
      onTestFinished(() => database.close())
      const fixture = await openFixture(database)
      onTestFinished(() => fixture.records.close())
      return fixture
    }),
  )
}

test(
  'both databases answer alike, whatever is asked and written',
  { timeout: 600_000 },
  async () => {
    const stages = await openStages()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (steps) => {
        for (const fixture of stages) await fixture.reset()
        for (const { who, question } of steps) {
          const { method, path, query: asked, body: said } = question
          const line = `${method} ${path}`
          const [here, there] = await Promise.all(
            stages.map(async (fixture) => {
              const search = new URLSearchParams(asked)
              const address = `${path}${search.size ? `?${search}` : ''}`
              const token = fixture.token(who)
              const answer = await fixture.request(address, {
                method,
                headers: {
                  'Content-Type': 'application/json',
                  ...(token && { Authorization: token }),
                },
                ...(said !== undefined && { body: JSON.stringify(said) }),
              })
              return { status: answer.status, text: normalizeAnswer(await answer.text()) }
            }),
          )
          expect({ line, who, asked, said, ...there }).toEqual({ line, who, asked, said, ...here })
          expect(here!.status).toBeLessThan(500)
        }
      }),
      runs,
    )
    expect(stages.flatMap(({ errors }) => errors)).toEqual([])
  },
)
