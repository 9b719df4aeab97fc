import { afterAll, expect } from 'vitest';
import {
  type Ask,
  good,
  makeAccounts,
  SHARE,
  SOURCE,
  StorageFolder,
  shareContainer,
  TAKEN,
  TARGET,
  VERSION,
} from '../services/datashare/support.ts';
import { SUBSCRIPTION } from '../support/jars.ts';
import { type ConsoleStory, consoleStory } from './console-window.ts';

const storage = await StorageFolder.make();
afterAll(() => storage.remove());
const start = { settings: { datashare: { storageRoot: storage.root } } };

const HOSTILE = '<img src=x onerror=alert(1)>';
const HOURLY = {
  kind: 'ScheduleBased',
  properties: { recurrenceInterval: 'Hour', synchronizationTime: '2026-01-01T00:20:00Z' },
};

/** Calls the API of the service as an ordinary client of one side. */
async function sideOf({ jar }: ConsoleStory, user?: string): Promise<Ask> {
  const token = await jar.token({ ttl: '30d', ...(user !== undefined && { user }) });
  return async (method, path, body) => {
    const query = path.includes('api-version=') ? '' : `?api-version=${VERSION}`;
    const answer = await fetch(`${jar.httpsUrl}${path}${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) };
  };
}

async function shared(story: ConsoleStory): Promise<{ readonly give: Ask; readonly take: Ask }> {
  const [give, take] = [await sideOf(story), await sideOf(story, 'other')];
  await makeAccounts(give, take);
  await story.jar.settled();
  await shareContainer(give, take);
  return { give, take };
}

consoleStory(
  'a share is seen from both sides, is synchronized by hand and on its schedule, and revoked',
  async (story) => {
    const { jar, page, open, accessible } = story;
    for (const name of ['one', 'two']) await storage.write('source', `data/${name}.txt`, name);
    await open('datashare');
    await page.getByText('Nothing was synchronized yet').waitFor();
    await accessible();
    await page.getByRole('link', { name: 'Received', exact: true }).click();
    await page.getByText('No share was accepted yet').waitFor();
    const { give, take } = await shared(story);
    await good(give('PUT', SHARE, { properties: { description: HOSTILE, terms: 'Be kind' } }));

    // The share subscription appears without a reload.
    await page.getByRole('link', { name: 'numbers', exact: true }).click();
    await page.getByText('It is ready, and was never synchronized.').waitFor();
    await accessible();
    await page.getByRole('tab', { name: 'Data sets (1)' }).click();
    await page.getByRole('cell', { name: 'target/copies' }).waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Synchronize', exact: true }).click();
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByText('The last synchronization succeeded.').waitFor();
    await page.getByRole('link', { name: 'Show the synchronization' }).click();
    await page.getByText('Copied: 2 files, 6 B.').waitFor();
    await accessible();
    await page.reload();
    await page.getByText('Copied: 2 files, 6 B.').waitFor();
    expect(await storage.files('target', 'copies')).toEqual({ 'one.txt': 'one', 'two.txt': 'two' });

    const absent = { kind: 'Container', properties: { ...SOURCE, containerName: 'absent' } };
    const { properties: set } = await good(give('PUT', `${SHARE}/dataSets/absent`, absent));
    const target = { kind: 'Container', properties: { ...TARGET, dataSetId: set.dataSetId, containerName: 'nothing' } };
    await good(take('PUT', `${TAKEN}/dataSetMappings/absent`, target));
    const before = page.url();
    await page.getByRole('button', { name: 'Synchronize again' }).click();
    await page.getByText('The synchronization failed.').waitFor();
    expect(page.url()).not.toBe(before);
    await page
      .getByRole('row', { name: /^absent Container/ })
      .getByText('Failed')
      .waitFor();
    await page
      .getByRole('row', { name: /^all Container/ })
      .getByText('Succeeded')
      .waitFor();
    await accessible();

    await good(give('PUT', `${SHARE}/synchronizationSettings/hourly`, HOURLY));
    await good(take('PUT', `${TAKEN}/triggers/hourly`, HOURLY));
    await page
      .getByRole('link', { name: 'numbers' })
      .and(page.getByRole('definition').getByRole('link'))
      .first()
      .click();
    await page.getByText('The trigger is Active: every hour.').waitFor();
    await jar.clock.advance('2h');
    await page.getByRole('region', { name: 'Synchronizations' }).getByText('schedule').first().waitFor();
    await accessible();

    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await page.getByRole('link', { name: 'numbers', exact: true }).click();
    await page.getByText(HOSTILE).waitFor();
    await page.getByText('Offered every hour').waitFor();
    await accessible();
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await page.getByRole('cell', { name: 'other@other.example' }).waitFor();
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoke the access?').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Reinstate' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText('The access is revoked: nothing is copied.').waitFor();

    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('link', { name: 'taker', exact: true }).click();
    await page.getByRole('region', { name: 'Share subscriptions of the account' }).getByText('Revoked').waitFor();
    await accessible();
  },
  { start },
);

consoleStory(
  'a synchronization is watched while it copies, and cancelled',
  async (story) => {
    const { jar, page, open, accessible, control } = story;
    for (let i = 0; i < 4; i++) await storage.write('source', `data/large-${i}.txt`, 'x'.repeat(40));
    const { take } = await shared(story);
    // The source gives so little that the synchronization waits for the clock, which stands still.
    const slow = {
      name: 'platform.storage-egress',
      scope: { subscription: SUBSCRIPTION },
      size: 16,
      refillPerSecond: 16,
    };
    expect((await control('/_jar/limits', { method: 'PATCH', body: slow })).status).toBe(200);
    await open('datashare/synchronizations');
    const { synchronizationId: id } = await good(take('POST', `${TAKEN}/synchronize`, {}));
    await page.getByRole('gridcell', { name: 'InProgress' }).waitFor();
    await page.getByRole('link', { name: 'numbers', exact: true }).click();
    await page.waitForURL(new RegExp(`/datashare/synchronizations/${id}$`));
    await page.getByRole('progressbar', { name: /Copied so far/ }).waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancel the synchronization?').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancelled: no further file is copied.').waitFor();
    await jar.clock.advance('10s');
    await page.getByText('It was cancelled.').waitFor();
    await page.getByRole('gridcell', { name: 'Cancelled' }).waitFor();
  },
  { start },
);
