import { redirect } from 'react-router'
import { profileChanges, ProfileError, profileOf, saveProfile } from '#web/api/account.ts'
import { FormError, serverAction } from '#web/api/act.ts'
import { loginPath, sessionQuery } from '#web/api/session.ts'
import { checkProfile, profileFields, typedProfile } from './profile-form.ts'

/** A reader's name, username and visibility, sent without scripts. */
export const profileAction = serverAction(
  async ({ api, form, url, queries }) => {
    const session = await queries.query(sessionQuery(api))
    if (!session?.settings) return redirect(loginPath(url.pathname), 303)
    const { user, settings } = session
    const current = profileOf({ user, settings })
    const { values, wrong } = checkProfile(typedProfile(form), current)
    if (Object.keys(wrong).length > 0) throw new FormError(wrong)
    const changed = profileChanges(values, current)
    if (changed)
      await saveProfile(api, user.id, settings.id, changed).catch((error: unknown) => {
        throw error instanceof ProfileError ? new FormError(error.fields) : error
      })
    return redirect(url.pathname, 303)
  },
  { kept: profileFields },
)
