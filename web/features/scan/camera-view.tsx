import { Flashlight, FlashlightOff } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { errorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/scan.ts'
import { torchOf } from './camera.ts'
import { useCamera } from './use-camera.ts'
import { useScanLoop } from './use-scan-loop.ts'

interface CameraProps {
  /** Leaves room below for a list, on a phone. */
  low?: boolean
  /** The picture stays, but nothing is read. */
  paused: boolean
  /** A notice over the picture while nothing is read. */
  pausedText?: string | undefined
  onText: (text: string) => void
}

/** The picture of the camera, a frame to hold the barcode in, and what it reads. */
export function CameraView(props: CameraProps) {
  const [round, setRound] = useState(0)
  return <Picture key={round} {...props} onRetry={() => setRound(round + 1)} />
}

function Picture(props: CameraProps & { onRetry: () => void }) {
  const { low = false, paused, pausedText, onText, onRetry } = props
  const camera = useCamera()
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const isReaderBroken = useScanLoop(video, paused, onText)
  const stream = camera.state === 'on' ? camera.stream : undefined
  if (camera.state === 'failed')
    return (
      <Frame low={low}>
        <Notice>
          <p role="alert">{t(`camera.${camera.failure}`)}</p>
          {camera.failure === 'insecure' ? null : (
            <Button size="sm" onClick={onRetry}>
              {t('tryAgain')}
            </Button>
          )}
        </Notice>
      </Frame>
    )
  return (
    <Frame low={low}>
      {stream ? (
        <Video stream={stream} onVideo={setVideo} />
      ) : (
        <Notice>
          <Spinner />
          <p>{t('startingTheCamera')}</p>
        </Notice>
      )}
      {stream ? <Target paused={paused} text={paused ? pausedText : undefined} /> : null}
      {stream ? <Torch stream={stream} /> : null}
      {isReaderBroken ? (
        <Notice>
          <p role="alert">{t('theBarcodeReaderCouldNot')}</p>
        </Notice>
      ) : null}
    </Frame>
  )
}

/** @param props.onVideo told the element while it plays */
function Video(props: { stream: MediaStream; onVideo: (video: HTMLVideoElement | null) => void }) {
  const { stream, onVideo } = props
  const element = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const video = element.current
    if (!video) return
    video.srcObject = stream
    // Closed before it began: nobody waits for the picture.
    void video.play().catch(() => undefined)
    onVideo(video)
    return () => onVideo(null)
  }, [stream, onVideo])
  return (
    <video
      ref={element}
      muted
      playsInline
      aria-label={t('camera')}
      className="absolute inset-0 size-full object-cover"
    />
  )
}

function Frame({ low, children }: { low: boolean; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'relative aspect-4/3 w-full overflow-hidden rounded-md border border-line bg-sunken sm:aspect-video',
        low ? 'max-h-[36dvh] max-md:max-h-[22dvh]' : 'max-h-[36dvh]',
      )}
    >
      {children}
    </div>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-3 bg-sunken p-5 text-center text-sm text-balance">
      {children}
    </div>
  )
}

/** The frame for the barcode; dimmed while nothing is read. */
function Target({ paused, text }: { paused: boolean; text: string | undefined }) {
  return (
    <span
      aria-hidden={text ? undefined : true}
      className={classNames(
        'absolute inset-0 grid place-items-center transition-colors',
        paused && 'bg-scrim',
      )}
    >
      {text ? (
        <span className="rounded-md bg-raised px-3 py-2 text-sm">{text}</span>
      ) : (
        <span className="h-2/5 w-3/4 rounded-md border-2 border-white/90 shadow-[0_0_0_100vmax_rgb(0_0_0/0.25)]" />
      )}
    </span>
  )
}

/** Only where the camera has a light. */
function Torch({ stream }: { stream: MediaStream }) {
  const [isOn, setOn] = useState(false)
  const turn = torchOf(stream)
  if (!turn) return null
  async function toggle(): Promise<void> {
    try {
      await turn?.(!isOn)
      setOn(!isOn)
    } catch (error) {
      toast.error(errorMessage(error))
    }
  }
  return (
    <IconButton
      tone="raised"
      label={t('torch')}
      aria-pressed={isOn}
      onClick={() => void toggle()}
      className="absolute! end-3 bottom-3"
    >
      {isOn ? <FlashlightOff aria-hidden /> : <Flashlight aria-hidden />}
    </IconButton>
  )
}
