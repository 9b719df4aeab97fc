import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const SECRET = 'the value of the secret, which no page shows';

consoleStory(
  'runs are logged and compared by their curves, a version is registered and promoted, a secret is kept without its value',
  async ({ jar, page, open, accessible }) => {
    const token = await jar.token();
    const platform = async <T>(path: string, body: object): Promise<T> => {
      const answer = await fetch(`${jar.httpsUrl}/api/2.0/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as T;
    };
    await open('platform/experiments');
    await page.getByText('There is no experiment yet').waitFor();
    const { experiment_id: experiment } = await platform<{ experiment_id: string }>('mlflow/experiments/create', {
      name: '/Shared/prices',
    });
    await page.getByRole('link', { name: '/Shared/prices' }).click();
    await page.getByText('The experiment has no run yet').waitFor();
    await accessible();

    // Three runs are logged; they and their curves appear without a reload.
    const now = Number(jar.clock.now());
    const log = async (run_name: string, rate: number): Promise<string> => {
      const { run } = await platform<{ run: { info: { run_id: string } } }>('mlflow/runs/create', {
        experiment_id: experiment,
        run_name,
        start_time: now,
      });
      const { run_id } = run.info;
      const metrics = Array.from({ length: 30 }, (_, step) => ({
        key: 'loss',
        value: Math.exp(-step * rate),
        timestamp: now + step,
        step,
      }));
      await platform('mlflow/runs/log-batch', { run_id, metrics, params: [{ key: 'rate', value: String(rate) }] });
      return run_id;
    };
    const slow = await log('slow', 0.01);
    await log('<img src=x onerror=alert(1)>', 0.2);
    await page.getByRole('row', { name: /slow/ }).waitFor();
    await page.getByRole('figure', { name: 'loss of 2 runs' }).getByText('slow').waitFor();
    await log('fast', 0.5);
    await page.getByRole('figure', { name: 'loss of 3 runs' }).waitFor();
    await accessible();

    // Two of them are compared, which the address keeps.
    await page.getByLabel('Compare slow').check();
    await page.getByLabel('Compare <img src=x onerror=alert(1)>').check();
    const differs = page.getByRole('region', { name: 'What differs' });
    await differs.getByText('rate (parameter)').waitFor();
    await page.getByRole('figure', { name: 'loss of 2 runs' }).waitFor();
    await page.reload();
    await differs.getByRole('columnheader', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    expect(await page.getByLabel('Compare fast').isChecked()).toBe(false);
    await page.getByRole('searchbox').fill('metrics.loss < 0.1');
    await page.getByRole('row', { name: /fast/ }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /slow/ }).count()).toBe(0);
    await page.getByRole('searchbox').fill('metrics.loss <');
    await page.getByText(/Invalid/).waitFor();
    await page.getByRole('searchbox').fill('');

    // One run: its last values.
    await page.getByRole('link', { name: 'slow' }).click();
    await page.getByRole('region', { name: 'Run', exact: true }).getByRole('cell', { name: '0.74826' }).waitFor();
    await accessible();

    // A version of a model comes from it, gets an alias, and is promoted.
    await platform('mlflow/registered-models/create', { name: 'prices' });
    await platform('mlflow/model-versions/create', { name: 'prices', source: 'dbfs:/prices', run_id: slow });
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Models' }).click();
    await page.getByRole('link', { name: 'prices' }).click();
    await page.getByRole('button', { name: 'Version 1' }).click();
    await page.getByRole('link', { name: 'slow' }).waitFor();
    await page.getByLabel('New alias').fill('champion');
    await page.getByRole('button', { name: 'Give alias' }).click();
    await page.getByText('@champion').waitFor();
    await page.getByRole('button', { name: 'None Stage' }).click();
    await page.getByRole('option', { name: 'Production' }).click();
    await page.getByRole('region', { name: 'Versions' }).getByText('Production').waitFor();
    await page.getByRole('cell', { name: 'applied transition' }).waitFor();
    await accessible();
    await page.reload();
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();

    // A secret is written, and only its name is shown.
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Secrets' }).click();
    await page.getByText('There is no secret scope yet').waitFor();
    await page.getByRole('button', { name: 'Create a scope' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('no/such name');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByLabel('Name').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('team');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('The scope has no secret.').waitFor();
    await page.getByLabel('Key').fill('password');
    await page.getByLabel('Value').fill(SECRET);
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('region', { name: 'Secrets of the scope' }).getByText('password').waitFor();
    await accessible();
    const written = await fetch(`${jar.httpsUrl}/api/2.0/secrets/get?scope=team&key=password`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(((await written.json()) as { value: string }).value, 'base64').toString()).toBe(SECRET);
    expect(await page.content()).not.toContain(SECRET);
    await page.getByRole('tab', { name: 'Permissions' }).click();
    await page.getByRole('cell', { name: 'manage' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There is no secret scope yet').waitFor();
  },
  { expected: /status of 400/ },
);
