import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { TestJar } from '../../src/testing/index.ts';
import { consoleStory, signedIn } from './console-window.ts';

const GROUPS = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups';
const HOSTILE = '<img src=x onerror=alert(1)>';

consoleStory(
  'a state is saved, compared with now member by member, restored, and travels as a file',
  async ({ jar, page, open, accessible, control }) => {
    await putGroup(jar, 'one', 'before');
    await open('snapshots');
    await page.getByText('There is no snapshot yet').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Save a snapshot' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('no good');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText(/cannot be the name of a snapshot/).waitFor();
    await accessible();
    await dialog.getByLabel('Name', { exact: true }).fill('prepared');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/console\/snapshots\/prepared$/);
    await page.getByRole('cell', { name: 'arm.groups' }).waitFor();
    await accessible();

    // A name that is in use asks before its snapshot is replaced.
    await page.getByRole('button', { name: 'Save a snapshot' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('prepared');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText(/^Replace 'prepared' of/).waitFor();
    await page.keyboard.press('Escape');

    await putGroup(jar, 'one', HOSTILE);
    await putGroup(jar, 'two', 'new');
    await jar.clock.advance('2h');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.waitForURL(/\/console\/snapshots\/prepared\/compare$/);
    const differences = page.getByRole('grid', { name: 'Differences' });
    await differences.getByRole('row', { name: /resourcegroups\/two added/ }).waitFor();
    await differences.getByRole('row', { name: /resourcegroups\/one changed/ }).click();
    await page.getByRole('cell', { name: 'tags.env' }).waitFor();
    await page.getByRole('cell', { name: '"before"' }).waitFor();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    await accessible();
    await page.reload();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: /Collection/ }).click();
    await page.getByRole('option', { name: /^arm\.groups \+1 ~1/ }).click();
    await page.waitForURL(/collection=arm\.groups/);
    await page.getByText('2 rows', { exact: true }).waitFor();
    // A snapshot of another person can be compared, too.
    await control('/_jar/snapshots/later', { method: 'PUT' });
    await putGroup(jar, 'three', 'newer');
    await page.getByText(/changes? since/).waitFor();
    await page.getByRole('button', { name: 'Compare again' }).click();
    await differences.getByRole('row', { name: /resourcegroups\/three added/ }).waitFor();
    await page.getByRole('button', { name: /^Now/ }).click();
    await page.getByRole('option', { name: 'later' }).click();
    await page.waitForURL(/to=later/);
    await differences.getByRole('row', { name: /resourcegroups\/three/ }).waitFor({ state: 'detached' });
    await page.getByText('2 rows', { exact: true }).waitFor();
    await accessible();

    const reader = await page.context().newPage();
    await signedIn(jar, reader, 'reader');
    await reader.goto(page.url());
    await reader.getByRole('row', { name: /resourcegroups\/two added/ }).waitFor();
    await reader.goto(`${jar.httpsUrl}/console/snapshots/prepared`);
    await reader.getByRole('cell', { name: 'arm.groups' }).waitFor();
    expect(await reader.getByRole('button', { name: /Restore|Delete|Save|Import/ }).count()).toBe(0);
    expect(await reader.getByRole('tab', { name: 'Export' }).count()).toBe(0);
    await reader.close();
    await signedIn(jar, page, 'admin');

    await open('snapshots/prepared?tab=export');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Portable file' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('prepared.cloudjar.gz');
    await page.getByLabel('Passphrase').fill('short');
    await page.getByRole('button', { name: 'Encrypted file' }).click();
    await page.getByText(/passphrase of a snapshot file/).waitFor();
    await accessible();
    await page.getByLabel('Passphrase').fill('a long enough passphrase');
    const [encrypted] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Encrypted file' }).click(),
    ]);

    await page.getByRole('button', { name: 'Import…' }).click();
    const buffer = await readFile(await encrypted.path());
    await dialog.getByLabel('File').setInputFiles({ name: 'team.cloudjar.gz', mimeType: 'application/gzip', buffer });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText(/was exported with a passphrase/).waitFor();
    await accessible();
    await dialog.getByLabel('Passphrase').fill('a long enough passphrase');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText("The snapshot 'team' is here. Nothing was changed yet.").waitFor();
    await dialog.getByRole('button', { name: 'Show it' }).click();
    await page.getByText('from a file').waitFor();

    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText(/Since then \d+ items were added/).waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Restore team' }).click();
    await page.getByText(/^Restored team\. It is/).waitFor();
    const groups = await fetch(`${jar.httpsUrl}${GROUPS}?api-version=2021-04-01`, {
      headers: { authorization: `Bearer ${await jar.token()}` },
    });
    const { value } = (await groups.json()) as { value: { name: string; tags: { env: string } }[] };
    expect(value.map(({ name, tags }) => [name, tags.env])).toEqual([['one', 'before']]);

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Delete team? Its state cannot be restored any more.').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/\/console\/snapshots$/);
    await page.getByRole('row', { name: /^prepared/ }).waitFor();
    await page.getByRole('row', { name: /^team/ }).waitFor({ state: 'detached' });
  },
  { expected: /status of (400|404)/ },
);

async function putGroup(jar: TestJar, name: string, env: string): Promise<void> {
  const response = await fetch(`${jar.httpsUrl}${GROUPS}/${name}?api-version=2021-04-01`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ location: 'westus', tags: { env } }),
  });
  expect(response.ok).toBe(true);
}
