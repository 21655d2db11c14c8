import catalogue from 'messages/readings'
import { area } from './area.ts'
import type messages from './messages/en/readings.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
