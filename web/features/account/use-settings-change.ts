import type { Settings } from '#shared/account.ts'
import { useSettingsSave } from '#web/api/account.ts'
import { errorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/account.ts'
import { toast } from '#web/ui/toast.tsx'

type Change = Parameters<ReturnType<typeof useSettingsSave>['mutate']>[0]

/** @returns saves a setting as it is chosen; each is answered, also where the next is made before */
export function useSettingsChange(settings: Settings) {
  const { mutateAsync } = useSettingsSave(settings)
  return (values: Change, onSaved: () => void = () => toast.success(t('updated'))): void =>
    void mutateAsync(values).then(onSaved, (error: unknown) => toast.error(errorMessage(error)))
}
