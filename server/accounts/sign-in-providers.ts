import type { OAuth2Options } from '#records/index.ts'
import type { Config } from '#server/settings/config.ts'

/**
 * Sign-in with the configured providers: Google, and OpenID providers under the operator's names.
 *
 * @returns the record service's configuration, by collection
 */
export function signInProviders({
  providers,
  appUrl,
}: Pick<Config, 'providers' | 'appUrl'>): Record<string, OAuth2Options> {
  if (!providers.length) return {}
  const returns = providers.map(({ name }) => `${appUrl}/auth/${name}`)
  // The screens that the site's own sign-in returns to, and the window that other clients open.
  return { users: { providers, redirectUrls: [...returns, `${appUrl}/api/oauth2-redirect`] } }
}
