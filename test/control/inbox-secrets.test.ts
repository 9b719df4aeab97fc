import { expect, it } from 'vitest';
import { inboxRequests, requestKey } from '../../src/control/inbox/collections.ts';
import { receivedView, requestView } from '../../src/control/inbox/record.ts';
import { openJar } from '../../src/jar/index.ts';
import { Vault } from '../../src/kernel/auth/vault.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';

it('secrets of a request are sealed in the store, and stay hidden from who has another key', async () => {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true }, env: {}, cwd: '/' });
  const { url, jar, close } = await openJar({ config, inProcess: true });
  try {
    const headers = { authorization: 'Bearer s3cret-a', 'aeg-sas-key': 's3cret-b', 'x-plain': 'seen' };
    await fetch(`${url}/_jar/inbox/x?code=s3cret-c&sig=s3cret-d&n=1`, { method: 'POST', headers });
    const stored = await jar.store.get(inboxRequests, requestKey('x', 1));
    const text = JSON.stringify(stored);
    expect(text).not.toContain('s3cret');
    expect(text).toContain('seen');
    const shown = receivedView(jar, stored!.value);
    expect(shown).toMatchObject({ headers, query: { code: 's3cret-c', sig: 's3cret-d', n: '1' } });
    expect(requestView(stored!.value)).toMatchObject({ headers: { 'aeg-sas-key': '[redacted]', 'x-plain': 'seen' } });
    const elsewhere = receivedView({ vault: Vault.withRandomKey() }, stored!.value);
    expect(elsewhere).toMatchObject({
      headers: { authorization: '[redacted]', 'x-plain': 'seen' },
      query: { code: '[redacted]', n: '1' },
    });
  } finally {
    await close();
  }
});
