import type { Page } from 'playwright-core'

/** Gives a page Chromium's own virtual authenticator, in place of a finger or a security key. */
export async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Takes its passkeys away, while the site still has them. */
    forget: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }),
    keys: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}
