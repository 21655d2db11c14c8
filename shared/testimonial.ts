import * as z from 'zod'

const testimonials = z
  .array(
    z.strictObject({
      text: z.string().trim().min(1).max(300),
      /** A name, or a kind of reader. */
      who: z.string().trim().min(1).max(100),
    }),
  )
  .min(1)
  .max(6)

/** A testimonial that the operator publishes. */
export type Testimonial = z.infer<typeof testimonials>[number]

/** @returns the testimonials that a JSON text lists, or undefined */
export function parseTestimonials(text: string): Testimonial[] | undefined {
  try {
    return testimonials.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
