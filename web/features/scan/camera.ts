/** The reasons why there is no picture, each with its own sentence. */
export type CameraFailure = 'insecure' | 'denied' | 'none' | 'busy' | 'broken'

/** Error names of `getUserMedia`, as the standard and older browsers have them. */
const failures: Record<string, CameraFailure> = {
  NotAllowedError: 'denied',
  PermissionDeniedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  DevicesNotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  TrackStartError: 'busy',
  AbortError: 'busy',
}

/** @returns the reason, by the browser's error */
export function cameraFailure(error: unknown): CameraFailure {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  return failures[name] ?? 'broken'
}

/** The rear camera, if there is one; 1280x720 shows the bars of a code at arm's length. */
const wanted: MediaStreamConstraints = {
  audio: false,
  video: {
    facingMode: { ideal: 'environment' },
    width: { ideal: 1280 },
    height: { ideal: 720 },
  },
}

/**
 * Opens the camera.
 *
 * @throws what {@link cameraFailure} explains; where no page may use it, a TypeError
 */
export function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia(wanted)
}

/** @returns whether a page at this address may use a camera at all */
export function isCameraAllowedHere(): boolean {
  // The types promise what only a secure page has.
  return window.isSecureContext && 'mediaDevices' in navigator
}

/** Ends the stream, which turns the camera's light off. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** @returns the light's switch, or undefined where the camera has none */
export function torchOf(stream: MediaStream): ((on: boolean) => Promise<void>) | undefined {
  const [track] = stream.getVideoTracks()
  // `torch` is of the image capture draft, and not in the types.
  const able = track?.getCapabilities?.() as { torch?: boolean } | undefined
  if (!track || !able?.torch) return undefined
  return (on) => track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] })
}
