import * as z from 'zod'

const testimonials = z
  .array(
    z.strictObject({
      text: z.string().trim().min(1).max(300),
      /** A name, or what kind of reader. */
      who: z.string().trim().min(1).max(100),
    }),
  )
  .min(1)
  .max(6)

/** What a reader of this site has said about it, as its operator publishes it. */
export type Testimonial = z.infer<typeof testimonials>[number]

/** @returns the testimonials that a JSON text lists, or undefined */
export function parseTestimonials(text: string): Testimonial[] | undefined {
  try {
    return testimonials.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
