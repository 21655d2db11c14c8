import * as z from 'zod'
import { rule } from './rule.ts'

export const recordId = z.string().regex(/^[a-z0-9]{15}$/, rule('recordId'))
