import * as z from 'zod'
import { trimmedText } from './form-fields.ts'
import { periods } from './plan.ts'

/** A reader's choice on the pricing page; codes ignore case. */
export const checkoutForm = z.object({
  product_name: z.enum(periods, "Product must be 'monthly' or 'yearly'."),
  discount_code: trimmedText(100, 'This discount code is not valid.')
    .transform((code) => code.toUpperCase())
    .optional(),
})

export type CheckoutForm = z.infer<typeof checkoutForm>
