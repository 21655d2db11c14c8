import type { OAuth2Options } from '#records/index.ts'
import type { Config } from '#server/settings/config.ts'

/**
 * "Continue with Google", where it is configured.
 *
 * @returns the record service's configuration, by collection
 */
export function googleSignIn({
  google,
  appUrl,
}: Pick<Config, 'google' | 'appUrl'>): Record<string, OAuth2Options> {
  if (!google) return {}
  return {
    users: {
      providers: [
        {
          name: 'google',
          displayName: 'Google',
          issuer: google.issuer,
          clientId: google.id,
          clientSecret: google.secret,
        },
      ],
      // The screen that the site's own sign-in returns to, and the window that other clients open.
      redirectUrls: [`${appUrl}/auth/google`, `${appUrl}/api/oauth2-redirect`],
    },
  }
}
