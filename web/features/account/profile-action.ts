import { redirect } from 'react-router'
import { parseProfileForm } from '#shared/username.ts'
import { profileChanges, ProfileError, profileOf, saveProfile } from '#web/api/account.ts'
import { FormError, serverAction } from '#web/api/act.ts'
import { loginPath, sessionQuery } from '#web/api/session.ts'
import { ruleMessage } from '#web/i18n/rules.ts'
import { profileFields, typedProfile } from './typed-profile.ts'

/** A reader's name, username and visibility, sent without scripts. */
export const profileAction = serverAction(
  async ({ api, form, url, queries }) => {
    const session = await queries.query(sessionQuery(api))
    if (!session?.settings) return redirect(loginPath(url.pathname), 303)
    const { user, settings } = session
    const current = profileOf({ user, settings })
    const { values, wrong } = parseProfileForm(typedProfile(form), current)
    const messages = Object.entries(wrong).map(([name, refused]) => [name, ruleMessage(refused)])
    if (messages.length > 0) throw new FormError(Object.fromEntries(messages))
    const changed = profileChanges(values, current)
    if (changed)
      await saveProfile(api, user.id, settings.id, changed).catch((error: unknown) => {
        throw error instanceof ProfileError ? new FormError(error.fields) : error
      })
    return redirect(url.pathname, 303)
  },
  { kept: profileFields },
)
