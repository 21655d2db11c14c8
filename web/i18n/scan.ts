import catalogue from 'messages/scan'
import { area } from './area.ts'
import type messages from './messages/en/scan.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
