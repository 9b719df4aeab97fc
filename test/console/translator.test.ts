import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const GERMAN = 'Der Hund ist müde und die Katze schläft nicht. Wo ist der Bahnhof?';

consoleStory(
  'a text is detected while it is typed, with its alternatives, its sentences and the same with curl',
  async ({ jar, page, open, accessible }) => {
    await open('translator');
    const languages = page.getByRole('list', { name: 'Languages with their scores' });
    await languages.getByText('German').waitFor();
    await accessible();
    await page.getByLabel('Text', { exact: true }).fill('<img src=x onerror=alert(1)> Dobro jutro, kako ste danas?');
    await languages.nth(0).getByRole('listitem').nth(1).waitFor();
    await page.getByLabel('Text', { exact: true }).fill(`${GERMAN}\nMerci beaucoup pour votre réponse.`);
    await page.getByRole('heading', { name: '3 sentences' }).waitFor();
    await page.getByText('Each line is a text of its own').click();
    await page.getByRole('heading', { name: 'Text 2' }).waitFor();
    await languages.nth(1).getByText('French').waitFor();
    await accessible();
    await page.reload();
    await languages.nth(1).getByText('French').waitFor();

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('Name', { exact: true }).fill('tests');
    await page.getByRole('button', { name: /Tier$/ }).click();
    await page.getByRole('option', { name: 'S1' }).click();
    await page.getByRole('button', { name: 'Store the key' }).click();
    await page.getByRole('cell', { name: 'tests', exact: true }).waitFor();
    await accessible();
    const { value } = (await (
      await fetch(`${jar.httpsUrl}/_jar/translator/keys?$filter=name eq 'tests'`, {
        headers: { authorization: `Bearer ${jar.adminKey}` },
      })
    ).json()) as { value: object[] };
    expect(value).toMatchObject([{ name: 'tests', tier: 'S1' }]);
    await page.getByRole('button', { name: 'Remove' }).last().click();
    await page.getByText(/Remove tests\?/).waitFor();
    await page.getByRole('button', { name: 'Remove' }).last().click();
    await page.getByRole('cell', { name: 'tests', exact: true }).waitFor({ state: 'detached' });
  },
);

consoleStory(
  'a reader detects languages and looks at those of the real service on a narrow screen',
  async ({ page, open, accessible }) => {
    await open('translator');
    await page.getByLabel('Text', { exact: true }).fill('Merci beaucoup pour votre réponse.');
    await page.getByText('French').waitFor();
    await page.getByRole('link', { name: 'Languages' }).click();
    await page.getByRole('searchbox').fill('serb');
    await page.getByRole('link', { name: /Serbian.*Cyrillic/ }).click();
    await page.getByRole('region', { name: 'Language' }).getByText('Transliteration').waitFor();
    await accessible();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('button', { name: /Store|Remove|Copy the key/ }).count()).toBe(0);
  },
  { role: 'reader', size: { width: 360, height: 640 } },
);
