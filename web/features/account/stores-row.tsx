import { Plus, X } from 'lucide-react'
import type { Settings } from '#shared/account.ts'
import { maxOwnStores, storeCountries, type OwnStore } from '#shared/offer.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { useLazyDialog, type DialogState } from '#web/ui/lazy-dialog.ts'
import { t } from '#web/i18n/account.ts'
import { offerFormat } from '#web/i18n/offers.ts'
import { formatCountry } from '#web/i18n/format.ts'
import { SettingsChoice } from './settings-choice.tsx'
import { useSettingsChange } from './use-settings-change.ts'

export type StoreDialogProps = DialogState & { settings: Settings }

const loadDialog = async () => (await import('./store-dialog.tsx')).StoreDialog

/** The country whose stores are offered, and the reader's own stores. */
export function StoresRow({ settings }: { settings: Settings }) {
  const change = useSettingsChange(settings)
  const { Dialog, round, state, button } = useLazyDialog<StoreDialogProps>(loadDialog)
  const stores = settings.stores ?? []

  return (
    <SettingsChoice
      name="country"
      title={t('stores')}
      hint={t('countryHint')}
      label={t('country')}
      value={settings.country}
      options={[
        { value: '', label: t('useBrowserSetting') },
        ...Object.keys(storeCountries).map((value) => ({ value, label: formatCountry(value) })),
      ]}
      onChoose={(country) => change({ country })}
    >
      <div className="grid gap-3">
        {stores.length > 0 ? (
          <ul
            ref={keepFocusInRows}
            aria-label={t('yourOwnStores')}
            className="border-t border-line"
          >
            {stores.map((store, place) => (
              <li
                key={`${store.name} ${store.format} ${store.template}`}
                className="flex items-center justify-between gap-3 border-b border-line py-1"
              >
                <StoreText store={store} />
                <IconButton
                  label={t('removeStore', { name: store.name })}
                  onClick={() => change({ stores: stores.toSpliced(place, 1) })}
                >
                  <X />
                </IconButton>
              </li>
            ))}
          </ul>
        ) : null}
        {stores.length < maxOwnStores ? (
          <Button className="justify-self-start" icon={<Plus />} {...button}>
            {t('addAStore')}
          </Button>
        ) : null}
      </div>
      {Dialog ? <Dialog key={round} settings={settings} {...state} /> : null}
    </SettingsChoice>
  )
}

function StoreText({ store: { name, format, template } }: { store: OwnStore }) {
  return (
    <p className="min-w-0">
      <span className="font-medium wrap-anywhere">
        <bdi>{name}</bdi>
      </span>{' '}
      <span className="text-sm text-ink-soft">{offerFormat(format)}</span>
      <span className="block truncate text-sm text-ink-soft">{template}</span>
    </p>
  )
}
