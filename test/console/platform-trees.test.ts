import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

consoleStory(
  'files and tables are found in their trees, a warehouse is started, and a limit is raised',
  async ({ jar, page, open, accessible, control }) => {
    const token = await jar.token();
    const ask = async <T>(method: string, path: string, body?: object | string): Promise<T> => {
      const answer = await fetch(`${jar.httpsUrl}/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      expect(answer.ok, `${path}: ${text}`).toBe(true);
      return (text === '' ? {} : JSON.parse(text)) as T;
    };
    const section = (name: string) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name });
    const entry = (name: string) => page.getByRole('row', { name, exact: true });
    const opened = (name: string) => page.getByRole('region', { name: `Object of the ${name}` });

    // A file is written in the workspace, and found by its address.
    await open('platform/workspace');
    await entry('Shared').click();
    await page.getByLabel('Name', { exact: true }).fill('load.py');
    await page.getByLabel('Text').fill('print("<img src=x onerror=alert(1)>")');
    await accessible();
    await page.getByRole('button', { name: 'Write the file' }).click();
    await page.waitForURL(/\/console\/platform\/workspace\/Shared\/load\.py$/);
    await opened('workspace').locator('pre').getByText('<img src=x onerror=alert(1)>').waitFor();
    await entry('load.py').waitFor();
    // What others write appears without a reload.
    await ask('POST', '2.0/workspace/mkdirs', { path: '/Shared/etl' });
    await entry('etl').waitFor();
    await page.reload();
    await opened('workspace').locator('pre').getByText('<img src=x onerror=alert(1)>').waitFor();
    await entry('etl').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => entry('load.py').count()).toBe(0);

    // A schema with a table and a volume.
    const uc = '2.1/unity-catalog';
    await section('Catalog').click();
    await entry('main').click();
    await opened('catalog').getByRole('link', { name: 'default' }).waitFor();
    await ask('POST', `${uc}/schemas`, { catalog_name: 'main', name: 'sales' });
    await opened('catalog').getByRole('link', { name: 'sales' }).click();
    await page.getByText('It is empty. This makes the first object:').waitFor();
    await accessible();
    const place = { catalog_name: 'main', schema_name: 'sales' };
    await ask('POST', `${uc}/tables`, {
      ...place,
      name: 'orders',
      table_type: 'EXTERNAL',
      data_source_format: 'DELTA',
      storage_location: 'abfss://lake@vendor.example/orders',
      columns: [
        { name: 'id', type_name: 'LONG', nullable: false, comment: '<img src=x onerror=alert(1)>' },
        { name: 'price', type_name: 'DECIMAL', type_text: 'decimal(10,2)' },
      ],
    });
    await ask('POST', `${uc}/volumes`, { ...place, name: 'landing', volume_type: 'MANAGED' });
    await ask('PUT', '2.0/fs/files/Volumes/main/sales/landing/2026/orders.csv', 'id,price\n1,9.90\n');
    await ask('PATCH', `${uc}/permissions/schema/main.sales`, {
      changes: [{ principal: 'users', add: ['SELECT'] }],
    });
    await opened('catalog').getByRole('link', { name: 'orders' }).click();
    await page.getByRole('cell', { name: 'decimal(10,2)' }).waitFor();
    await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await entry('orders').waitFor();
    await page.getByRole('tab', { name: 'Grants' }).click();
    await page.getByRole('cell', { name: 'select', exact: true }).waitFor();
    await accessible();
    await entry('landing').click();
    await page.waitForURL(/\/catalog\/volume\/main\.sales\.landing/);
    await page.getByRole('button', { name: '2026/' }).click();
    await page.getByRole('cell', { name: 'orders.csv' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'orders.csv' }).waitFor();

    // A warehouse starts by the jar's clock.
    await section('Compute').click();
    await page.getByText('There is no cluster and no warehouse yet').waitFor();
    const { id } = await ask<{ id: string }>('POST', '2.0/sql/warehouses', {
      name: 'analysts',
      cluster_size: '2X-Small',
    });
    await page.getByRole('link', { name: 'analysts' }).click();
    await page.waitForURL(new RegExp(`/compute/${id}`));
    await page.getByRole('row', { name: /analysts.*starting/ }).waitFor();
    await control('/_jar/clock/advance', { method: 'POST', body: { by: '10s' } });
    await page.getByRole('row', { name: /analysts.*running/ }).waitFor();
    await ask('POST', '2.0/sql/statements', { warehouse_id: id, statement: 'select 1 as one' });
    await page.getByRole('tab', { name: 'Statements' }).click();
    await page.getByRole('cell', { name: 'select 1 as one' }).waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('row', { name: /analysts.*stopp/ }).waitFor();

    // More secret scopes are asked for, and granted.
    await section('Limits').click();
    await page.getByRole('searchbox').fill('secret-scopes');
    await page
      .getByRole('row', { name: /Scopes/ })
      .getByRole('link')
      .click();
    await page.getByLabel('Requested').fill('5');
    await page.getByLabel('Reason').fill('one per team');
    await page.getByRole('button', { name: 'Request', exact: true }).click();
    await page
      .getByRole('alert')
      .or(page.getByText(/must be|more than/))
      .first()
      .waitFor();
    await page.getByLabel('Requested').fill('2000');
    await page.getByRole('button', { name: 'Request', exact: true }).click();
    const requests = page.getByRole('region', { name: 'Requests for higher limits' });
    await requests.getByText('one per team').waitFor();
    await accessible();
    await requests.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('0 of 2,000').first().waitFor();
    await expect.poll(() => requests.count()).toBe(0);
  },
  { expected: /status of 400/ },
);

consoleStory(
  'a reader sees what runs and where, and is offered no change',
  async ({ jar, page, open, accessible }) => {
    const ask = async <T>(path: string, body: object): Promise<T> => {
      const answer = await fetch(`${jar.httpsUrl}/api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await jar.token()}` },
        body: JSON.stringify(body),
      });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as T;
    };
    const hello = {
      task_key: 'hello',
      python_wheel_task: { package_name: 'p', entry_point: 'e', cloudjar: 'sleep 60' },
    };
    const { run_id } = await ask<{ run_id: number }>('2.2/jobs/runs/submit', { run_name: 'Once', tasks: [hello] });
    const { experiment_id } = await ask<{ experiment_id: string }>('2.0/mlflow/experiments/create', {
      name: '/Shared/e',
    });
    await ask('2.0/mlflow/runs/create', { experiment_id, run_name: 'tracked' });
    await open(`platform/runs/${run_id}`);
    await page
      .getByRole('link', { name: /^hello/ })
      .filter({ hasText: 'running' })
      .waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await accessible();
    await open(`platform/experiments/${experiment_id}`);
    await page.getByRole('row', { name: /tracked/ }).waitFor();
    await open('platform/secrets');
    await page.getByText('There is no secret scope yet').waitFor();
    expect(await page.getByRole('button', { name: 'Create a scope' }).count()).toBe(0);
    await open('platform/catalog/schema/main.default');
    await page.getByRole('heading', { name: 'main.default' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  },
  { role: 'reader', size: { width: 360, height: 740 } },
);
