import { t } from '#web/i18n/admin.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'

/** A link to hand over, with a button that copies it. */
export function CopyLink({ link, hint }: { link: string; hint: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link)
      toast.info(t('copied'))
    } catch {
      toast.error(t('notCopied'))
    }
  }
  return (
    <div className="grid gap-2">
      <TextField
        label={t('link')}
        hint={hint}
        dir="ltr"
        readOnly
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button className="justify-self-start" onClick={() => void copy()}>
        {t('copy')}
      </Button>
    </div>
  )
}
