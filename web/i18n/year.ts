import catalogue from 'messages/year'
import { area } from './area.ts'
import type messages from './messages/en/year.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
