import catalogue from 'messages/landing'
import { area } from './area.ts'
import type messages from './messages/en/landing.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
