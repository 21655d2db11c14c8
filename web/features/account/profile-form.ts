import type { ProfileForm } from '#shared/username.ts'

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
