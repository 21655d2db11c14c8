import catalogue from 'messages/legal'
import { area } from './area.ts'
import type messages from './messages/en/legal.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
