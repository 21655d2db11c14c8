import { useState } from 'react'
import type { NewConnection } from '#shared/connection.ts'
import { useLiveConnections } from '#web/api/connections.ts'
import { useSession } from '#web/api/session.ts'
import { ApiTokens } from './api-tokens.tsx'
import { AddConnection } from './add-connection.tsx'
import { ConnectionList } from './connection-list.tsx'
import { PrivateFeeds } from './private-feeds.tsx'
import { ConnectionSetup } from './connection-setup.tsx'
import { BoundBooks, UnknownBooks } from './device-books.tsx'
import { Webhooks } from './webhooks.tsx'

/** A reader's connections: adding one, what they ask, and what they have brought. */
export function ConnectionsHome() {
  const user = useSession()?.user.id ?? ''
  useLiveConnections(user)
  const [added, setAdded] = useState<NewConnection | null>(null)
  return (
    <>
      <div className="mb-10">
        {added ? (
          <ConnectionSetup connection={added} onDone={() => setAdded(null)} />
        ) : (
          <AddConnection onAdded={setAdded} />
        )}
      </div>
      <UnknownBooks user={user} />
      <ConnectionList user={user} />
      <BoundBooks user={user} />
      <ApiTokens user={user} />
      <Webhooks user={user} />
      <PrivateFeeds user={user} />
    </>
  )
}
