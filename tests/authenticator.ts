import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What an authenticator and its browser say, which a test may forge. */
export interface Ceremony {
  /** Of the page that asked. */
  origin: string
  /** Whether a PIN or a finger showed whose it is. */
  verifies?: boolean
  counter?: number
  /** Another challenge than the one that was asked for. */
  challenge?: string
  /** Another domain than that of the options. */
  domain?: string
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

function clientData(type: string, asked: string, { origin, challenge = asked }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function authenticatorData(
  domain: string,
  { verifies = true, counter = 0 }: Ceremony,
  attested?: Buffer,
): Buffer {
  const flags = 0x01 | (verifies ? 0x04 : 0) | (attested ? 0x40 : 0)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(domain), head, ...(attested ? [attested] : [])])
}

/** An authenticator in software, with one passkey. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #key: KeyObject
  readonly #point: { x: Buffer; y: Buffer }
  #user = ''

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  /** Makes the passkey. */
  create(
    { challenge, rp, user }: PublicKeyCredentialCreationOptionsJSON,
    ceremony: Ceremony,
  ): RegistrationResponseJSON {
    this.#user = user.id
    const { x, y } = this.#point
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(x)],
      [-3, new Uint8Array(y)],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, isoCBOR.encode(key)])
    const data = authenticatorData(ceremony.domain ?? rp.id ?? '', ceremony, attested)
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', new Uint8Array(data)],
    ])
    return {
      id: base64url(this.id),
      rawId: base64url(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', challenge, ceremony)),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ['internal'],
      },
    }
  }

  /** Signs in with it. */
  get(
    { challenge, rpId = '' }: PublicKeyCredentialRequestOptionsJSON,
    ceremony: Ceremony,
    user = this.#user,
  ): AuthenticationResponseJSON {
    const client = clientData('webauthn.get', challenge, ceremony)
    const data = authenticatorData(ceremony.domain ?? rpId, ceremony)
    const signature = createSign('sha256').update(data).update(sha256(client)).sign(this.#key)
    return {
      id: base64url(this.id),
      rawId: base64url(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: user,
      },
    }
  }
}
