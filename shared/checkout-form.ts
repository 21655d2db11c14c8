import * as z from 'zod'
import { trimmedText } from './form-fields.ts'
import { periods } from './plan.ts'
import { rule } from './rule.ts'

/** A reader's choice on the pricing page; codes ignore case. */
export const checkoutForm = z.object({
  product_name: z.enum(periods, rule('period')),
  discount_code: trimmedText(100, 'discountCode')
    .transform((code) => code.toUpperCase())
    .optional(),
})

export type CheckoutForm = z.infer<typeof checkoutForm>
