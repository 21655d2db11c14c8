import type { Page } from 'playwright-core'

/** The one menu of a screen, which has what is done to what it shows. */
export const optionsOf = (page: Page) => page.getByRole('button', { name: 'Options', exact: true })

/** Takes an entry of that menu. */
export async function chooseOption(page: Page, name: string): Promise<void> {
  await optionsOf(page).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
