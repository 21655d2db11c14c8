import { Check } from 'lucide-react'
import { t } from '#web/i18n/connections.ts'
import { toast } from '#web/ui/toast.tsx'

/** Copies a text, and says whether it was copied. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.info(t('copied'), { duration: 3000, icon: <Check className="size-4" /> })
  } catch {
    toast.error(t('notCopied'))
  }
}
