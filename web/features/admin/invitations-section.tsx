import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { invitationDays, type AdminInvitation } from '#shared/admin.ts'
import { adminInvitationsQuery, invite, withdrawInvitation } from '#web/api/admin.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { t } from '#web/i18n/admin.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Day } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAct } from './confirmed-acts.tsx'
import { CopyLink } from './copy-link.tsx'
import { DataTable } from './data-table.tsx'

const days = [1, invitationDays.usual, 30, invitationDays.most]

/** The open invitations, and a new one. */
export function InvitationsSection() {
  const query = useQuery(adminInvitationsQuery(useApi()))
  const [chosen, setChosen] = useState<number>(invitationDays.usual)
  const make = useAct(invite(chosen))
  const items = query.data?.items ?? []
  return (
    <>
      <form
        className="mb-6 grid max-w-md gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!make.isPending) make.mutate()
        }}
      >
        <SelectField
          label={t('worksFor')}
          value={String(chosen)}
          options={days.map((count) => ({ value: String(count), label: t('days', { count }) }))}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        />
        <Button
          type="submit"
          needsScript
          variant="primary"
          icon={<Plus />}
          className="justify-self-start"
          pending={make.isPending}
        >
          {t('invite')}
        </Button>
        {make.data ? <CopyLink link={make.data.link} hint={t('inviteHint')} /> : null}
      </form>
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {query.data && items.length === 0 ? <EmptyState>{t('noInvitations')}</EmptyState> : null}
      {items.length > 0 ? (
        <DataTable
          label={t('invitations')}
          columns={[
            { label: t('invitation'), cell: ({ id }) => <bdi>{id}</bdi> },
            { label: t('created'), cell: ({ created }) => <Day timestamp={created} /> },
            { label: t('expires'), cell: ({ expires }) => <Day timestamp={expires} /> },
          ]}
          rows={items}
          keyOf={({ id }) => id}
          actions={(invitation) => <Withdraw invitation={invitation} />}
        />
      ) : null}
    </>
  )
}

function Withdraw({ invitation: { id } }: { invitation: AdminInvitation }) {
  const withdraw = useAct(withdrawInvitation(id), () => void toast.success(t('withdrawn')))
  return (
    <Button
      size="sm"
      aria-label={t('withdrawNamed', { id })}
      pending={withdraw.isPending}
      onClick={() => withdraw.mutate()}
    >
      {t('withdraw')}
    </Button>
  )
}
