import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import { queueControl } from '../../../../src/services/events/control/queue-routes.ts';
import { ENDPOINT_TYPES } from '../../../../src/services/events/definition.ts';
import { connectionsOf } from '../../../../src/services/events/destinations/connections.ts';
import { settingsOf } from '../../../../src/services/events/settings.ts';
import { blocksOf, runTypeScript } from '../../../docs/examples.ts';

const PAGE = 'docs/services/events-destinations.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

describe('the page about destinations', () => {
  it.each([...ENDPOINT_TYPES, 'StorageBlob'])('names %s', (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  it.each(queueControl.map(({ method, path }) => `${method} ${path.replace('{queue}', '{id}')}`))(
    'names %s',
    (call) => {
      expect(page).toContain(`\`${call}`);
    },
  );

  it('has an example of connections that a jar takes', async () => {
    const [example] = (await blocksOf(PAGE)).filter(({ language }) => language === 'json');
    const { services } = JSON.parse(example?.code ?? '');
    const config = loadConfig({ flags: { memory: true }, env: {}, cwd: '/', services });
    const [bus] = Object.keys(services.events.connections).filter((id) => id.endsWith('/shopbus'));
    const connections = connectionsOf(settingsOf({ config }));
    expect(connections.find(`${bus}/queues/any`, 'broker')).toMatchObject({ host: '127.0.0.1', address: undefined });
    expect(connections.find(`${bus}/topics/orders`, 'broker')).toMatchObject({ address: '/exchange/orders' });
  });

  it('has an example that runs as it says', async () => {
    const [example] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
    expect(await runTypeScript(example?.code ?? '')).toBe('parcels orders/1 12 1\n');
  });
});
