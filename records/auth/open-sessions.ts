import type { Viewer } from '../filter/request.ts'
import type { Core } from '../write/core.ts'
import type { Collection } from '../schema/collection.ts'
import { transact } from '../write/transaction.ts'
import { deleteDevice, listDevices, type Device } from './devices.ts'
import { endAccountSessions, endOneSession, listSessions } from './sessions.ts'

/** An open session, as shown to its owner; times in milliseconds since 1970. */
interface OpenSession {
  id: string
  created: number
  used: number
  agent: string
  /** Whether it is the viewer's own session. */
  isCurrent: boolean
}

/** @returns where the viewer's account is signed in, and which browsers it trusts */
export async function openSessions(
  { database, now }: Core,
  collection: Collection,
  viewer: Viewer,
): Promise<{ sessions: OpenSession[]; devices: (Device & { isCurrent: boolean })[] }> {
  const moment = now().getTime()
  const sessions = await listSessions(database, collection, viewer.id, moment)
  const devices = await listDevices(database, viewer.id, moment)
  const here = sessions.find(({ id }) => id === viewer.session)?.device
  return {
    sessions: sessions.map(({ id, created, used, agent }) => ({
      id,
      created,
      used,
      agent,
      isCurrent: id === viewer.session,
    })),
    devices: devices.map((device) => ({ ...device, isCurrent: device.id === here })),
  }
}

/** @returns whether the account had such a session; also signs out its realtime connections */
export function endSession(core: Core, account: string, session: string): Promise<boolean> {
  return transact(core, async (tx) => {
    const isEnded = (await endOneSession(tx, account, session)) !== null
    if (isEnded) tx.events.signedOut({ id: account, session })
    return isEnded
  })
}

/** Ends all of an account's sessions and forgets its trusted devices. API tokens stay. */
export async function endSessions(core: Core, account: string): Promise<void> {
  await transact(core, async (tx) => {
    await endAccountSessions(tx, account)
    tx.events.signedOut({ id: account, keepsTokens: true })
  })
}

/** @returns whether the account trusted such a device */
export function revokeDevice(
  { database }: Core,
  account: string,
  device: string,
): Promise<boolean> {
  return database.transaction((tx) => deleteDevice(tx, account, device))
}
