import type { FieldValues, Resolver } from 'react-hook-form'
import { loadCode } from '#web/ui/load-code.ts'

type Rules = (typeof import('./form-rules.ts'))['rules']

const load = (): Promise<Rules> => loadCode(async () => (await import('./form-rules.ts')).rules)

/** For a form's first focus: its rules are there before it is sent. */
export const prepareRules = () => void load().catch(() => undefined)

/**
 * The rules of a form about an account, as a resolver. They are larger than the form and of no use
 * before it is sent, so they come when it is entered. Where they don't come, the server checks alone.
 */
export function rulesOf<Form extends FieldValues>(name: keyof Rules): Resolver<Form> {
  return async (values, context, options) => {
    const rules = await load().catch(() => undefined)
    const check: unknown = rules?.[name]
    return check ? (check as Resolver<Form>)(values, context, options) : { values, errors: {} }
  }
}
