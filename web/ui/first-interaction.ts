const signs = ['pointermove', 'pointerdown', 'touchstart', 'scroll', 'keydown'] as const

/** Resolves when the visitor has done anything on this page, or has before. */
export function firstInteraction(): Promise<void> {
  if (navigator.userActivation?.hasBeenActive) return Promise.resolve()
  return new Promise((resolve) => {
    const seen = () => {
      for (const sign of signs) window.removeEventListener(sign, seen)
      resolve()
    }
    for (const sign of signs) window.addEventListener(sign, seen, { passive: true })
  })
}
