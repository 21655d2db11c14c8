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

/**
 * Names a browser and its system, such as "Firefox on Windows". The names are our own: the header may
 * hold anything.
 *
 * @param agent a User-Agent header
 */
export function deviceName(
  agent: string,
  translate: (key: 'unknownDevice' | 'deviceOn', values?: Record<string, string>) => string,
): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1]
  if (!browser) return translate('unknownDevice')
  return system ? translate('deviceOn', { browser, system }) : browser
}
