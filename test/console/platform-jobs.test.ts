import { WorkspaceClient } from '@databricks/sdk-experimental';
import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const wheel = (cloudjar: string) => ({ python_wheel_task: { package_name: 'etl', entry_point: 'main', cloudjar } });

/** Two tasks begin, a condition decides by what one of them counted, and the last one fails at its first attempt. */
const TASKS = [
  { task_key: 'count', ...wheel(`sleep 60; echo '::cloudjar::value {"key":"rows","value":42}'`) },
  { task_key: 'fetch', ...wheel('echo "fetched <img src=x onerror=alert(1)> for $day"; sleep 20') },
  {
    task_key: 'enough',
    depends_on: [{ task_key: 'count' }],
    condition_task: { op: 'GREATER_THAN', left: '{{tasks.count.values.rows}}', right: '10' },
  },
  {
    task_key: 'load',
    depends_on: [{ task_key: 'enough', outcome: 'true' }, { task_key: 'fetch' }],
    ...wheel('[ $CLOUDJAR_ATTEMPT -gt 0 ] || { echo the table is locked; exit 1; }; echo loaded; sleep 30'),
  },
];

consoleStory(
  'a job is run, its graph follows the tasks, the failed one is found and repaired, and another run is cancelled',
  async ({ jar, page, open, accessible, control }) => {
    const advance = (by: string) => control('/_jar/clock/advance', { method: 'POST', body: { by } });
    const task = (key: string, state: RegExp) =>
      page
        .getByRole('region', { name: 'Tasks of the run' })
        .getByRole('link', { name: new RegExp(`^${key}`) })
        .filter({ hasText: state });
    await open('platform');
    await page.getByText('There is no job yet').waitFor();
    await accessible();

    // Created by the official client, the job appears without a reload.
    const client = new WorkspaceClient({ host: jar.url, token: await jar.token() });
    const { job_id: job } = await client.jobs.create({
      name: 'Nightly',
      parameters: [{ name: 'day', default: 'monday' }],
      tasks: TASKS as never,
    });
    await page.getByRole('link', { name: 'Nightly' }).click();
    await page.waitForURL(new RegExp(`/console/platform/jobs/${job}$`));
    await page.getByText('The job has not run yet.').waitFor();
    await page.getByRole('tab', { name: 'Tasks (4)' }).click();
    await page
      .getByRole('region', { name: 'Tasks of the job' })
      .getByRole('link', { name: /enough/ })
      .click();
    await page.getByText('GREATER_THAN').waitFor();
    await accessible();

    // It takes a parameter; the run shows its tasks.
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('dialog').getByLabel('day').fill('tuesday');
    await accessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/console\/platform\/runs\/\d+$/);
    await task('count', /running/).waitFor();
    await task('load', /blocked/).waitFor();
    await accessible();
    await advance('20s');
    await task('fetch', /success/).waitFor();
    await task('fetch', /success/).click();
    await page.getByText('fetched <img src=x onerror=alert(1)> for tuesday').waitFor();
    await advance('40s');
    await task('load', /failed/).waitFor();
    await page.getByRole('alert').getByText('Failed: load.').waitFor();
    await task('load', /failed/).click();
    await page.waitForURL(/\/runs\/\d+\/load$/);
    await page
      .getByRole('region', { name: 'Task', exact: true })
      .locator('pre')
      .getByText('the table is locked')
      .waitFor();
    await accessible();

    // The address has the run and its task.
    await page.reload();
    await page
      .getByRole('region', { name: 'Task', exact: true })
      .locator('pre')
      .getByText('the table is locked')
      .waitFor();
    await page.getByRole('button', { name: 'Repair' }).click();
    await task('load', /running/).waitFor();
    await advance('30s');
    await task('load', /success/).waitFor();
    await page.getByRole('tab', { name: 'Attempts' }).click();
    await expect
      .poll(() =>
        page.getByRole('region', { name: 'Attempts', exact: true }).getByRole('link', { name: 'load' }).count(),
      )
      .toBe(2);
    await page.getByRole('region', { name: 'Repairs' }).getByText('a repair').waitFor();
    await accessible();

    // The next run is cancelled.
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('heading', { name: 'Nightly #2' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancel the tasks that have not ended?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await task('count', /canceled/).waitFor();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('row', { name: /Nightly #1 success/ }).waitFor();
    await page.getByRole('row', { name: /Nightly #2 canceled/ }).waitFor();
    await accessible();
    await page.getByRole('radio', { name: 'Active' }).click();
    await page.getByText('No run matches the filter').waitFor();
    expect(page.url()).toContain('show=active');
    await page.goBack();

    const listed = [];
    for await (const { state } of client.jobs.listRuns({ job_id: job as number })) listed.push(state?.result_state);
    expect(listed.sort()).toEqual(['CANCELED', 'SUCCESS']);
  },
);
