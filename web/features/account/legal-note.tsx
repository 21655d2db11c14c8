/** Said before anybody goes on. */
export function LegalNote() {
  return (
    <p className="mt-4 text-xs text-ink-soft">
      By continuing you agree to the Terms of Service and the Privacy Policy.
    </p>
  )
}
