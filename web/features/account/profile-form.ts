import { parseProfileForm, type ProfileForm } from '#shared/username.ts'
import { ruleMessage } from '#web/i18n/rules.ts'

/** The fields of the form, as it is sent without scripts. */
export const profileFields = ['name', 'username', 'visibility']

/** @returns what was typed and chosen in the form */
export const typedProfile = ({
  name = '',
  username = '',
  visibility,
}: Readonly<Record<string, string>>): ProfileForm => ({
  name,
  username,
  isPrivate: visibility === 'private',
})

/** @returns what is saved of a form, and a sentence per field that is refused */
export function checkProfile(
  form: ProfileForm,
  current: ProfileForm,
): { values: ProfileForm; wrong: Record<string, string> } {
  const { values, wrong } = parseProfileForm(form, current)
  const messages = Object.entries(wrong).map(([name, refused]) => [name, ruleMessage(refused)])
  return { values, wrong: Object.fromEntries(messages) as Record<string, string> }
}
