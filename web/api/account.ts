import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { ClientResponseError } from 'pocketbase'
import type { Settings, User } from '#shared/account.ts'
import type { ProfileForm } from '#shared/username.ts'
import { sentenceSpace } from '#web/i18n/format.ts'
import { fieldMessage, type FieldError } from '#web/i18n/lazy-answers.ts'
import { t } from '#web/i18n/shell.ts'
import { useApi } from './context.ts'
import { errorMessage, isApiError } from './errors.ts'
import { endSession, removeInactiveQueries, sessionQuery } from './session.ts'
import { keys } from './query-keys.ts'
import { useOptimisticEdit } from './optimistic-edit.ts'

/** The changes of a profile's screen; null removes a picture. */
export interface ProfileChanges {
  settings?: { isPrivate?: boolean; background?: File | null }
  user?: { name?: string; username?: string; avatar?: File | null }
}

/** @returns what the form of a reader's names and privacy has at first */
export const profileOf = ({ user, settings }: { user: User; settings: Settings }): ProfileForm => ({
  name: user.name,
  username: user.username,
  isPrivate: settings.isPrivate,
})

/** @returns what a form changes; null for nothing */
export function profileChanges(to: ProfileForm, from: ProfileForm): ProfileChanges | null {
  const { name, username, isPrivate } = to
  const user = {
    ...(name !== from.name && { name }),
    ...(username !== from.username && { username }),
  }
  const settings = isPrivate === from.isPrivate ? {} : { isPrivate }
  return Object.keys({ ...user, ...settings }).length > 0 ? { user, settings } : null
}

/** The refused fields by name, next to the specification's sentence. */
export class ProfileError extends Error {
  readonly fields: Readonly<Record<string, string>>
  constructor(fields: Readonly<Record<string, string>>, cause?: unknown) {
    super(t('failedToUpdateProfile'), { cause })
    this.fields = fields
  }
}

/** The message if a profile can't be saved: the server's, or the reason at the refused field. */
export function profileErrorMessage(error: unknown): string {
  if (error instanceof ProfileError) {
    const [reason] = Object.values(error.fields)
    return [error.message, reason].filter(Boolean).join(sentenceSpace())
  }
  const isAnswered = isApiError(error) && error.response['message']
  return isAnswered ? errorMessage(error) : t('somethingWentWrongPleaseTry')
}

/** Saves settings and account together: both or neither. */
export function useProfileSave({ user, settings }: { user: User; settings: Settings }) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (changes: ProfileChanges) => saveProfile(api, user.id, settings.id, changes),
    onSuccess: (saved) => {
      const { queryKey } = sessionQuery(api)
      queries.setQueryData(queryKey, (session) => session && { ...session, ...saved })
      // Names and pictures are on shelves, lists and profiles.
      void queries.invalidateQueries({ queryKey: keys.profiles })
      removeInactiveQueries(queries)
    },
  })
}

/** @throws ProfileError */
export async function saveProfile(
  api: PocketBase,
  user: string,
  settings: string,
  changes: ProfileChanges,
): Promise<{ user: User; settings: Settings }> {
  const batch = api.createBatch()
  batch.collection('settings').update(settings, { ...changes.settings })
  batch.collection('users').update(user, { ...changes.user })
  const results = await batch.send().catch((error: unknown) => {
    const fields = isApiError(error) && error.status === 400 ? refusedFields(error) : {}
    throw Object.keys(fields).length ? new ProfileError(fields, error) : error
  })
  if (results.some(({ status }) => status !== 200)) throw new ProfileError({})
  const [savedSettings, savedUser] = results.map(({ body }) => body as unknown)
  return { user: savedUser as User, settings: savedSettings as Settings }
}

/** @returns the field errors of a refused batch, from all of its requests */
function refusedFields({ response }: ClientResponseError): Record<string, string> {
  type Refused = { response?: { data?: Record<string, FieldError> } }
  const { requests = {} } = (response['data'] ?? {}) as { requests?: Record<string, Refused> }
  const fields = Object.values(requests).flatMap((one) => Object.entries(one.response?.data ?? {}))
  return Object.fromEntries(
    fields.map(([name, error]) => {
      const isTaken = name === 'username' && error.code === 'validation_not_unique'
      return [name, isTaken ? t('thisUsernameIsTaken') : fieldMessage(error)]
    }),
  )
}

/** Gives the account a new password, which ends all its sessions, this one too. */
export async function changePassword(
  api: PocketBase,
  user: string,
  form: { oldPassword: string; password: string; confirmPassword: string },
): Promise<void> {
  const { confirmPassword: passwordConfirm, ...passwords } = form
  await api.collection('users').update(user, { ...passwords, passwordConfirm })
}

/** Clears books, activities and reading progress. */
export async function resetEverything(api: PocketBase, queries: QueryClient): Promise<void> {
  await api.send('/api/v1/account/reset', { method: 'POST' })
  removeInactiveQueries(queries)
}

/** Deletes the account with all that is its own; nobody is signed in to it any more. */
export async function deleteAccount(
  api: PocketBase,
  queries: QueryClient,
  user: string,
): Promise<void> {
  const [{ broadcastSignOut, signOut, whileSigningOut }, { clearSearches }] = await Promise.all([
    import('./sign-out-notice.ts'),
    import('./recent-searches.ts'),
  ])
  await whileSigningOut(async () => {
    await api.collection('users').delete(user)
    broadcastSignOut()
    clearSearches()
    // Removes the cookie. The account is deleted whether that succeeds or not.
    await signOut(api).catch(() => undefined)
    await endSession(queries)
  })
}

/**
 * For what ends every session of an account: this browser's may be one of them.
 *
 * @returns whether somebody is signed in here still
 */
export async function checkSession(api: PocketBase, queries: QueryClient): Promise<boolean> {
  const { queryKey } = sessionQuery(api)
  if (queries.getQueryData(queryKey)) await queries.invalidateQueries({ queryKey })
  return Boolean(queries.getQueryData(queryKey))
}

type SettingsValues = Partial<Omit<Settings, 'id' | 'user' | 'background'>>
/**
 * Saves settings as they are chosen, one choice after the other: shown at once, and taken back by
 * itself if the server refuses.
 */
export function useSettingsSave(settings: Settings) {
  const api = useApi()
  const queries = useQueryClient()
  const { queryKey } = sessionQuery(api)
  const current = () => queries.getQueryData(queryKey)?.settings ?? settings
  return useOptimisticEdit<Settings, SettingsValues>({
    mutationKey: ['settings', settings.id],
    queryKey,
    current,
    save: (values) => api.collection<Settings>('settings').update(settings.id, values),
    show: (edits, saved = current()) =>
      queries.setQueryData(
        queryKey,
        (session) => session && { ...session, settings: Object.assign({ ...saved }, ...edits) },
      ),
    onSuccess: () => void queries.invalidateQueries({ queryKey: keys.profiles }),
  })
}
