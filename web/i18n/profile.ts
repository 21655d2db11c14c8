import catalogue from 'messages/profile'
import { area } from './area.ts'
import type messages from './messages/en/profile.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
