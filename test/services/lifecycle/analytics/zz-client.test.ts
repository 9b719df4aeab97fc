import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';
import { it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { event, post, startSession, managedError, customProperties, startService } from '../sdk.ts';
import { administrator, makeApp } from '../support.ts';
withJar((bench) => {
  it('x', { timeout: 60000 }, async () => {
    const owner = await administrator(bench);
    const app = await makeApp(owner, 'cli');
    await post(bench, app, randomUUID(), [startService(), startSession(), event('E', { a: 'b' }), managedError(), customProperties({ z: 1 })]);
    const require = createRequire('/work/main/node_modules/appcenter-cli/package.json');
    const { AppCenterClient } = require('/work/main/node_modules/appcenter-cli/dist/util/apis/generated/src/appCenterClient.js');
    const client = new AppCenterClient({ endpoint: bench.jar.url, $host: bench.jar.url, allowInsecureConnection: true, additionalPolicies: [{ position: 'perCall', policy: { name: 't', sendRequest: async (q: any, next: any) => { q.headers.set('x-api-token', owner.token); process.stderr.write(`> ${q.method} ${q.url}\n`); const r = await next(q); process.stderr.write(`< ${r.status}\n`); return r; } } }] });
    const a = client.analytics; const s = new Date(bench.jar.clock.now().getTime() - 86400000);
    const show = async (n: string, p: () => Promise<unknown>) => { try { const v = await p(); process.stderr.write(`${n} ${JSON.stringify(v)?.slice(0, 300)}\n`); } catch (e: any) { process.stderr.write(`${n} FAILED ${e.statusCode} ${String(e.message).slice(0, 300)}\n`); } };
    await show('gflow', () => a.genericLogFlow('admin', 'cli', { start: bench.jar.clock.now() }));
    await show('gflow', () => a.genericLogFlow('admin', 'cli'));
    await show('devices', () => a.deviceCounts(s, '1', 'admin', 'cli'));
    await show('put', () => a.createOrUpdateAudience('Aud', 'admin', 'cli', { definition: 'z eq 1' }));
    await show('list', () => a.listAudiences('admin', 'cli'));
    await show('cf', () => a.crashFreeDevicePercentages(s, '1.0', 'admin', 'cli'));
    await show('block', () => client.app.blockLogs('admin', 'cli'));
    await show('flow', () => a.logFlow('admin', 'cli'));
  });
});
