import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

consoleStory(
  'a dataset is created, its tiles follow pushed rows, and a query shows its mistake where it is',
  async ({ jar, page, open, accessible }) => {
    await open('datasets');
    await page.getByText('There is no dataset yet').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Create a dataset' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Sales');
    await page.getByLabel('Table', { exact: true }).fill('Sa:le');
    await page.getByLabel('Column 1', { exact: true }).fill('City');
    await page.getByLabel('Column 2', { exact: true }).fill('Amount');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    // The mistake is shown at its field.
    await page
      .getByRole('dialog')
      .getByText(/letters, digits/)
      .waitFor();
    await page.getByLabel('Table', { exact: true }).fill('Sale');
    await accessible();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Sale has no row yet').waitFor();
    await accessible();
    const id = new URL(page.url()).pathname.split('/').at(-1);

    const token = await jar.token();
    const push = async (...rows: object[]): Promise<void> => {
      const { status } = await fetch(`${jar.httpsUrl}/v1.0/myorg/datasets/${id}/tables/Sale/rows`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ rows }),
      });
      expect(status).toBe(200);
    };
    await push({ City: 'Oslo', Amount: 10, At: '2026-01-05T13:04:09Z' });
    await page.getByRole('cell', { name: 'Oslo' }).waitFor();
    // A new row waits, so that nothing moves under the eyes of the reader.
    await push({ City: HOSTILE, Amount: 32.5 });
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();

    await page.getByRole('button', { name: 'Push a row' }).click();
    await page.getByLabel('City', { exact: true }).fill('Lima');
    await page.getByLabel('Amount', { exact: true }).fill('a lot');
    await page.getByRole('button', { name: 'Push the row' }).click();
    await page.getByText("column 'Amount' (Double)").waitFor();
    await accessible();
    await page.getByLabel('Amount', { exact: true }).fill('7');
    await page.getByRole('button', { name: 'Push the row' }).click();
    await page.getByText('The row was pushed.').waitFor();
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('cell', { name: 'Lima' }).waitFor();
    await page.getByRole('searchbox').fill('values/Amount gt 30');
    await page.getByRole('cell', { name: 'Lima' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('values/Amount gt');
    await page.getByText(/\$filter/).waitFor();

    await page.getByRole('tab', { name: 'Live tiles' }).click();
    await page.getByRole('button', { name: /Value$/ }).click();
    await page.getByRole('option', { name: 'Sum' }).click();
    await page.getByText('49.5', { exact: true }).waitFor();
    await push({ City: 'Oslo', Amount: 0.5 });
    await page.getByText('50', { exact: true }).first().waitFor();
    await accessible();
    await page.reload();
    await page.getByText('50', { exact: true }).first().waitFor();

    await page.getByRole('tab', { name: 'Query' }).click();
    await page.getByRole('textbox', { name: 'Query' }).fill('EVALUATE\n  TOPPN(1, Sale)');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Function TOPPN is not supported.').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Line 2, column 3' }).click();
    await page.keyboard.type('TOPN');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('tab', { name: 'Table (1 row)' }).waitFor();
    await page.getByRole('button', { name: 'Sum of Amount by City' }).click();
    await page.getByRole('tab', { name: 'Table (3 rows)' }).waitFor();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('list', { name: 'Values' }).getByText('10.5').waitFor();
    await accessible();
    await page.reload();
    await page.getByRole('list', { name: 'Values' }).getByText('10.5').waitFor();
    await page.getByText('Run again when rows arrive').click();
    await push({ City: 'Oslo', Amount: 9.5 });
    await page.getByRole('list', { name: 'Values' }).getByText('20', { exact: true }).waitFor();

    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByText(/4 of 120/).waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Delete Sales with 5 rows in 1 table?').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There is no dataset yet').waitFor();
  },
  { expected: /status of 400/ },
);

consoleStory(
  'a reader sees rows and results on a narrow screen, and no button that changes something',
  async ({ jar, page, open, accessible }) => {
    const token = await jar.token();
    const made = await fetch(`${jar.httpsUrl}/v1.0/myorg/datasets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Sensors',
        tables: [{ name: 'Reading', columns: [{ name: 'Id', dataType: 'Int64' }], rows: [{ Id: '9007199254740993' }] }],
      }),
    });
    expect(made.status).toBe(201);
    await open('datasets');
    await page.getByRole('link', { name: 'Sensors' }).click();
    // All digits, although a double has fewer.
    await page.getByRole('cell', { name: '9007199254740993' }).waitFor();
    expect(await page.getByRole('button', { name: /Push a row|Delete/ }).count()).toBe(0);
    await accessible();
    await page.getByRole('button', { name: 'Query', exact: true }).click();
    await page.getByRole('tab', { name: 'Table (1 row)' }).waitFor();
    await page.getByRole('cell', { name: '9007199254740993' }).waitFor();
    await accessible();
    await page.goBack();
    await page.getByRole('button', { name: 'Query', exact: true }).waitFor();
  },
  { role: 'reader', size: { width: 360, height: 640 } },
);
