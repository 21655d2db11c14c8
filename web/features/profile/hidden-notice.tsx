import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { sentenceSpace } from '#web/i18n/format.ts'
import { rich, t } from '#web/i18n/profile.ts'

/** Tells a reader, on their own profile, that the operator has hidden it from everybody else. */
export function HiddenNotice({ user }: { user: string }) {
  const session = useSession()
  const { contactEmail } = useSite()
  if (session?.user.id !== user || !session.settings?.isHidden) return null
  return (
    <ErrorState
      className="mb-6"
      tone="warning"
      title={t('onlyYouCanSeeYour')}
      message={
        <>
          {t('hiddenNotice')}
          {contactEmail ? (
            <>
              {sentenceSpace()}
              {rich('hiddenContact', {
                email: (
                  <TextLink tone="ink" asChild>
                    <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
                  </TextLink>
                ),
              })}
            </>
          ) : null}
        </>
      }
    />
  )
}
