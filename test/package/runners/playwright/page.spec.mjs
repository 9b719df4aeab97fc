import { expect, test } from '@playwright/test';
import { startJar } from 'cloudjar/testing';

test('a person signs in to a mailbox and reads a mail', async ({ page }) => {
  const jar = await startJar();
  await jar.mailbox('admin').send({ from: 'Carol <carol@fabrikam.example>', subject: 'Lunch', text: 'At noon?' });
  await page.goto(`${jar.url}/mail/`);
  await expect(page).toHaveTitle(/./);
  await jar.close();
});
