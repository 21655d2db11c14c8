import { useFormAction } from 'react-router'

/**
 * @returns where the forms on a page go that are sent without scripts: its path and query, and the
 *   `index` by which React Router tells an index route from the layout around it
 */
export const usePagePath = (): string => useFormAction()
