import type { FieldValues, Resolver } from 'react-hook-form'
import { loadCode } from '#web/ui/load-code.ts'

type Resolvers = (typeof import('./resolvers.ts'))['resolvers']

const load = (): Promise<Resolvers> =>
  loadCode(async () => (await import('./resolvers.ts')).resolvers)

/** For a form's first focus: they are there before it is sent. */
export const prepareResolvers = () => void load().catch(() => undefined)

/**
 * Checks a form about an account. The rules are larger than the form and of no use
 * before it is sent, so they come when it is entered. Where they don't come, the server checks alone.
 */
export function lazyResolver<Form extends FieldValues>(name: keyof Resolvers): Resolver<Form> {
  return async (values, context, options) => {
    const resolvers = await load().catch(() => undefined)
    const check: unknown = resolvers?.[name]
    return check ? (check as Resolver<Form>)(values, context, options) : { values, errors: {} }
  }
}
