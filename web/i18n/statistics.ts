import catalogue from 'messages/statistics'
import { area } from './area.ts'
import type messages from './messages/en/statistics.json'

export const { t } = area<keyof typeof messages>(catalogue)
