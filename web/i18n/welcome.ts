import catalogue from 'messages/welcome'
import { area } from './area.ts'
import type messages from './messages/en/welcome.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
