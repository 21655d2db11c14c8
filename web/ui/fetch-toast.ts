/** Messages come with the first press anywhere: a page does without their code until then. */
export const fetchToast = async () => (await import('./toast.tsx')).toast
