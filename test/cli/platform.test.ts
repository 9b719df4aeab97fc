import { WorkspaceClient } from '@databricks/sdk-experimental';
import { expect, test } from 'vitest';
import { runCli, startCli } from './cli.ts';

test("platform prints the settings for a client of the caller's account", async () => {
  const { folder, url } = await startCli(['--memory']);
  const { code, stdout, stderr } = await runCli(['platform', '--data', folder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = Object.fromEntries(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  expect(lines).toEqual({
    DATABRICKS_HOST: url,
    DATABRICKS_ACCOUNT_ID: 'b09ec38c-d299-44fe-8a3d-a7bdb107db62',
    DATABRICKS_WORKSPACE_ID: '351818235956998',
    DATABRICKS_TOKEN: expect.any(String),
  });
  const client = new WorkspaceClient({ host: url, token: lines.DATABRICKS_TOKEN as string });
  expect((await client.currentUser.me()).userName).toBe('admin@vendor.example');
  const other = JSON.parse((await runCli(['platform', '--user', 'other', '--json', '--data', folder])).stdout);
  expect(other.DATABRICKS_ACCOUNT_ID).not.toBe(lines.DATABRICKS_ACCOUNT_ID);
  const nobody = await runCli(['platform', '--user', 'nobody', '--data', folder]);
  expect(nobody).toMatchObject({ code: 1, stdout: '' });
  expect(nobody.stderr).toMatch(/^cloudjar: There is no user or application 'nobody'/);
});
