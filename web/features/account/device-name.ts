import { readDevice } from '#shared/device.ts'
import { t } from '#web/i18n/account.ts'

/** @returns such as "Firefox on Windows", for a User-Agent header */
export function deviceName(agent: string): string {
  const { browser, system } = readDevice(agent)
  if (!browser) return t('unknownDevice')
  return system ? t('deviceOn', { browser, system }) : browser
}
