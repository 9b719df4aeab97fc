import { expect, it } from 'vitest';
import { openJar } from '../../../../src/jar/index.ts';
import { Vault } from '../../../../src/kernel/auth/index.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import { Standings } from '../../../../src/services/platform/access/standing.ts';
import { principals, workspaces } from '../../../../src/services/platform/accounts/collections.ts';
import { secretValues } from '../../../../src/services/platform/secrets/collections.ts';
import { secretValue } from '../../../../src/services/platform/secrets/values.ts';

it('the store has no secret in the clear, and another key cannot open what it has', async () => {
  const flags = { port: 0, httpsPort: 0, smtpPort: 0, clock: 'virtual', engine: 'simulated', memory: true };
  const running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), inProcess: true });
  try {
    const { store, vault } = running.jar;
    const token = await ask('/_jar/tokens', running.adminKey, { user: 'admin' });
    const bearer = String(token.access_token);
    const { token_value } = await ask('/api/2.0/token/create', bearer, {});
    await ask('/api/2.0/secrets/scopes/create', bearer, { scope: 'vault' });
    await ask('/api/2.0/secrets/put', bearer, { scope: 'vault', key: 'k', string_value: 'hunter2-hunter2' });
    const everything: string[] = [];
    await store.capture([], async (parts) => {
      for await (const part of parts) everything.push(JSON.stringify(part));
    });
    const text = everything.join('\n');
    expect(text).toContain('platform.secret_values');
    expect(text).toContain('platform.access_tokens');
    const base64 = Buffer.from('hunter2-hunter2').toString('base64');
    for (const clear of ['hunter2', base64, base64.replace(/=+$/, ''), String(token_value)])
      expect(text).not.toContain(clear);
    const [stored] = (await store.query(secretValues, { limit: 10 })).items;
    const sealed = stored?.value.sealed ?? '';
    expect(vault.open(sealed)).toBe(base64);
    expect(() => Vault.withRandomKey().open(sealed)).toThrow();

    const [workspace] = (await store.query(workspaces, { limit: 1 })).items.map(({ value }) => value);
    if (!workspace) throw new Error('there is no workspace');
    const callerIdentities = new Standings(running.jar);
    const read = async (userName: string) => {
      const filter = { op: 'eq', field: 'login', value: userName } as const;
      const [found] = (await store.query(principals, { filter, limit: 1 })).items;
      const standing = await callerIdentities.of(workspace.accountId, found?.value.id ?? '');
      if (!standing) throw new Error(`there is no ${userName}`);
      return secretValue(store, running.jar, workspace, standing, 'vault', 'K');
    };
    expect(await read('admin@vendor.example')).toBe('hunter2-hunter2');
    await expect(read('licensed@vendor.example')).rejects.toThrow(/READ permission/);
  } finally {
    await running.close();
  }

  async function ask(path: string, bearer: string, body: object): Promise<Record<string, unknown>> {
    const answer = await fetch(running.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as Record<string, unknown>;
  }
});
