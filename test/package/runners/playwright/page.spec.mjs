import { expect, test } from '@playwright/test';
import { startJar } from 'cloudjar/testing';

test('a person signs in to a mailbox and reads a mail', async ({ page }) => {
  const jar = await startJar();
  await jar.mailbox('admin').send({ from: 'Carol <carol@fabrikam.example>', subject: 'Lunch', text: 'At noon?' });
  await page.goto(`${jar.url}/mail/`);
  await page.getByLabel('User name').fill('admin@vendor.example');
  await page.getByLabel('Password').fill('cloudjar');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Lunch' }).click();
  await expect(page.getByRole('heading', { name: 'Lunch' })).toBeVisible();
  await jar.close();
});
