import type { FieldValues, Resolver } from 'react-hook-form'
import { loadCode } from './load-code.ts'

/**
 * Checks a form by rules that are larger than it and of no use before it is sent. Where they don't
 * come, the server checks alone.
 *
 * @param load fetches the rules
 */
export function lazyResolver<Form extends FieldValues>(
  load: () => Promise<Resolver<Form>>,
): Resolver<Form> {
  return async (values, context, options) => {
    const check = await loadCode(load).catch(() => undefined)
    return check ? check(values, context, options) : { values, errors: {} }
  }
}
