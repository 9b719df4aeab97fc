import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

consoleStory(
  'an operation is found by its words, sent with a token and an example filled in, and found among the requests',
  async ({ jar, page, open, accessible }) => {
    await open('explorer');
    await page
      .getByLabel('Words of a path or summary, or an OData expression')
      .fill('creates or updates ResourceGroups_');
    await page.getByRole('gridcell', { name: 'Creates or updates a resource group', exact: true }).click();
    await page.waitForURL(/\/explorer\/ResourceGroups_CreateOrUpdate/);
    // What exists in the jar is filled in; the rest is asked for.
    await page.getByText('Fill in resourceGroupName.').waitFor();
    await accessible();
    const subscription = page.getByLabel('subscriptionId');
    await expect.poll(() => subscription.inputValue()).toBe('10000000-0000-4000-8000-0000000000f1');
    await page.getByLabel('resourceGroupName').fill('demo');
    const body = page.getByLabel('Body', { exact: true });
    await body.fill('{"location":');
    await page.getByText(/Not JSON/).waitFor();
    await body.fill(JSON.stringify({ location: 'westeurope', tags: { note: HOSTILE } }));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('201 Created').waitFor();
    await page.getByText(`"${HOSTILE}"`, { exact: true }).waitFor();
    await page.getByText(/curl -k -X PUT/).waitFor();
    await accessible();
    const token = await jar.token();
    const group = `${jar.httpsUrl}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/demo`;
    const made = await fetch(`${group}?api-version=2021-04-01`, { headers: { authorization: `Bearer ${token}` } });
    expect(await made.json()).toMatchObject({ location: 'westeurope', tags: { note: HOSTILE } });

    // The body as a form, and somebody who may not write.
    await page.getByRole('radio', { name: 'Form' }).click();
    await page.getByLabel('location').fill('eastus');
    await page.getByRole('radio', { name: 'Text' }).click();
    expect(await body.inputValue()).toContain('"location": "eastus"');
    await page.getByRole('combobox', { name: 'Token of' }).fill('no-job');
    await page.getByRole('option', { name: /no-job-queue/ }).click();
    await page.getByText(/cloudjar token --user 'no-job-queue'/).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('403 Forbidden').waitFor();
    await page.getByText('"AuthorizationFailed"').waitFor();
    await page.getByRole('link', { name: 'Open it among the requests' }).click();
    await page
      .getByRole('gridcell', { name: /resourceGroups\/demo/ })
      .first()
      .waitFor();

    // Its address is all that is needed to come back.
    await page.goBack();
    await page.getByLabel('resourceGroupName').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('resourceGroupName').inputValue()).toBe('demo');
    await accessible();
  },
  { expected: /status of 403/ },
);

consoleStory(
  'operations of the control API use the session, and an endless stream is stopped',
  async ({ page, open, accessible }) => {
    await open('explorer/Jar_Live');
    await page.getByText('Your session of the console.').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('still arriving').waitFor();
    await page.getByText(/event: tick/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await accessible();
    await open('explorer/NoSuch_Operation');
    await page.getByText('The jar has no operation of this name.').waitFor();
    await page.getByRole('link', { name: 'Search all operations.' }).click();
    await page.getByLabel('Words of a path or summary, or an OData expression').waitFor();
    await accessible();
  },
  { role: 'reader', size: { width: 360, height: 800 } },
);
