import catalogue from 'messages/pricing'
import { area } from './area.ts'
import type messages from './messages/en/pricing.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
