import { redirect } from 'react-router'

/** Nothing is at `/account` itself; the settings are what people look for there. */
export const loader = () => redirect('/account/settings')
export const clientLoader = loader
