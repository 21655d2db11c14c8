import type { Viewer } from '../access/request.ts'

/** A session just begun or prolonged. */
export interface SignIn {
  viewer: Viewer
  token: string
  /** Seconds until the token ends. */
  life: number
  /** The token of a device that is trusted from now on. */
  trusted?: string
}
