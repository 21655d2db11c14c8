import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'web',
  // A start builds beside the build that is there (server/pages/web-build.ts).
  buildDirectory: process.env['BUILD_FOLDER'] ?? 'build',
  ssr: true,
} satisfies Config
