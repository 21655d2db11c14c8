/** Messages come with the first press anywhere: a page does without their code until then. */
export const fetchToast = async () => (await import('./toast.tsx')).toast

/** Says what went wrong on a page that does without messages until then. */
export const tellError = (message: string) =>
  void fetchToast().then((toast) => toast.error(message))
