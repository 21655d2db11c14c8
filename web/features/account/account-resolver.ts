import type { FieldValues, Resolver } from 'react-hook-form'
import { lazyResolver } from '#web/ui/lazy-resolver.ts'
import { loadCode } from '#web/ui/load-code.ts'

type Resolvers = (typeof import('./resolvers.ts'))['resolvers']

const load = async (): Promise<Resolvers> => (await import('./resolvers.ts')).resolvers

/** For a form's first focus: they are there before it is sent. */
export const prepareResolvers = () => void loadCode(load).catch(() => undefined)

/** Checks a form about an account. */
export const accountResolver = <Form extends FieldValues>(name: keyof Resolvers): Resolver<Form> =>
  lazyResolver(async () => (await load())[name] as unknown as Resolver<Form>)
