import { useEffect, useState } from 'react'
import {
  cameraFailure,
  closeCamera,
  isCameraAllowedHere,
  openCamera,
  type CameraFailure,
} from './camera.ts'

type Camera =
  | { state: 'starting' }
  | { state: 'on'; stream: MediaStream }
  | { state: 'failed'; failure: CameraFailure }

/** Runs the camera while the component is mounted. */
export function useCamera(): Camera {
  const [camera, setCamera] = useState<Camera>({ state: 'starting' })
  useEffect(() => {
    let isOver = false
    let open: MediaStream | undefined
    async function start(): Promise<void> {
      if (!isCameraAllowedHere()) return setCamera({ state: 'failed', failure: 'insecure' })
      try {
        const stream = await openCamera()
        if (isOver) return closeCamera(stream)
        open = stream
        // Unplugged, or taken by the system.
        for (const track of stream.getTracks())
          track.addEventListener('ended', () => setCamera({ state: 'failed', failure: 'broken' }))
        setCamera({ state: 'on', stream })
      } catch (error) {
        if (!isOver) setCamera({ state: 'failed', failure: cameraFailure(error) })
      }
    }
    void start()
    return () => {
      isOver = true
      if (open) closeCamera(open)
    }
  }, [])
  return camera
}
