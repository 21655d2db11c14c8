import catalogue from 'messages/reviews'
import { area } from './area.ts'
import type messages from './messages/en/reviews.json'

export const { t } = area<keyof typeof messages>(catalogue)
