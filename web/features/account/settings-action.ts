import { redirect } from 'react-router'
import { languageCookieFor } from '#shared/language.ts'
import { actAsReader, serverAction } from '#web/api/act.ts'
import { loginPath, sessionQuery } from '#web/api/session.ts'

/**
 * A choice in the settings, sent without scripts: the field `setting` names the field of the
 * settings that takes `value`.
 */
export const settingsAction = serverAction(
  async ({ api, form, url, queries }) => {
    const { setting = '', value = '' } = form
    const settings = (await queries.query(sessionQuery(api)))?.settings
    if (!settings) return redirect(loginPath(url.pathname), 303)
    let cookie: string | undefined
    const answer = await actAsReader(url, async () => {
      const chosen = setting === 'isPrivate' ? value !== 'public' : value
      await api.collection('settings').update(settings.id, { [setting]: chosen })
      if (setting === 'language') cookie = languageCookieFor(value)
      return url.pathname
    })
    if (cookie) answer.headers.append('Set-Cookie', cookie)
    return answer
  },
  { kept: ['setting', 'value'] },
)
