import catalogue from 'messages/offers'
import { area } from './area.ts'
import type messages from './messages/en/offers.json'

/** The names of the formats in which stores sell books. */
export const { t: offerFormat } = area<keyof typeof messages>(catalogue)
