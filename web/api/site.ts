import type { Plan } from '#shared/plan.ts'
import type { SignUps } from '#shared/sign-up.ts'
import type { Testimonial } from '#shared/testimonial.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { keys } from './query-keys.ts'

/** An OpenID provider such as Google. */
export interface SignInProvider {
  /** On the wire, such as `google` or `oidc`. */
  name: string
  displayName: string
}

/** This site's settings, from its operator. */
export interface Site {
  /** The address readers see, without a slash at the end. */
  url: string
  /** The providers that readers can sign in through. */
  providers?: readonly SignInProvider[] | undefined
  /** Who can sign up. Absent means everybody. */
  signUps?: SignUps | undefined
  /** Whether signing in takes a mailed code; it does unless given. */
  signInCode?: boolean | undefined
  /** Whether readers have passwords; they do unless given. */
  passwordSignIn?: boolean | undefined
  /** Whether mails leave this machine; they do unless given. */
  hasMailServer?: boolean | undefined
  /** The plan of everyone without a subscription. */
  plan?: Plan | undefined
  /** Origins of the pages to pay and to manage at; absent: no payments. */
  payments?: { checkout: string; portal: string } | undefined
  /** Testimonials; if absent, the landing page shows a demonstration. */
  testimonials?: readonly Testimonial[] | undefined
  contactEmail?: string | undefined
  roadmap?: string | undefined
  chat?: string | undefined
  forum?: string | undefined
}

/** Filled by the server before a page is rendered, and the same until it is left. */
export const siteQuery = queryOptions<Site>({
  queryKey: keys.site,
  queryFn: () => ({ url: '' }),
  staleTime: 'static',
})

export function useSite(): Site {
  return useQuery(siteQuery).data ?? { url: '' }
}

/** @returns whether plans differ on this site; otherwise everyone has everything */
export function useHasPlans(): boolean {
  return useSite().plan !== 'premium'
}

/** @returns whether a visitor can create an account, the operator's settings permitting */
export function useSignUps(): NonNullable<Site['signUps']> {
  return useSite().signUps ?? 'open'
}

/** @returns whether mails leave the machine; otherwise the operator's mailbox page keeps them */
export function useHasMailServer(): boolean {
  return useSite().hasMailServer ?? true
}

/** @returns whether signing in takes a code from a mail */
export function useSignInCode(): boolean {
  return useSite().signInCode ?? true
}

/** @returns whether readers sign in with passwords, and not with providers and passkeys alone */
export function usePasswordSignIn(): boolean {
  return useSite().passwordSignIn ?? true
}
