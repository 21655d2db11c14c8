const browsers = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
] as const

/** A browser and what it runs on, by their makers' names; '' is unknown. */
export interface Device {
  browser: (typeof browsers)[number][1] | ''
  system: (typeof systems)[number][1] | ''
}

/**
 * Names a browser by words of our own: what it calls itself is whatever a stranger wrote.
 *
 * @param agent a User-Agent header
 */
export function readDevice(agent: string): Device {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1] ?? ''
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1] ?? ''
  return { browser, system }
}
