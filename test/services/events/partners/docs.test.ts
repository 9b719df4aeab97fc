import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVENTS } from '../../../../src/services/events/index.ts';
import { partnerErrors } from '../../../../src/services/events/partners/errors.ts';
import { PARTNER_TYPES } from '../../../../src/services/events/partners/kinds.ts';
import { PARTNER_LIMITS } from '../../../../src/services/events/partners/limits.ts';
import { runTypeScript } from '../../../docs/examples.ts';
import { addressedTo, typeScriptOf, withCredential } from '../../../docs/page-jar.ts';
import { withJar } from '../../../support/jars.ts';

const PAGE = 'docs/services/events-partners.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

it.each([...Object.keys(partnerErrors), ...PARTNER_LIMITS.map(({ name }) => name)])(
  'the page about partners names %s',
  (name) => {
    expect(page.includes(`\`${name}\``)).toBe(true);
  },
);

it.each(PARTNER_TYPES.map(({ type }) => type))('the jar offers %s once, and the page has its path', (type) => {
  expect(EVENTS.resourceTypes?.filter((each) => each.type === type)).toHaveLength(1);
  expect(page).toContain(`/${type.slice(type.lastIndexOf('/') + 1)}`);
});

withJar((bench) => {
  it('the example of the page about partners runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-partners-'));
    try {
      await writeFile(join(folder, 'ca.pem'), bench.jar.ca);
      const code = withCredential(addressedTo(bench.jar, await typeScriptOf(PAGE)), await bench.jar.token());
      const shown = await runTypeScript(code, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
      expect(shown).toBe('NeverActivated\nActivated\npublished\n');
      await bench.jar.settled();
      const requests = await bench.jar.inbox('orders').requests();
      const events = requests.flatMap(({ handshake, json }) => (handshake ? [] : [json()]));
      expect(events).toMatchObject([{ type: 'Contoso.Order', source: '/contoso/orders', data: { number: 1 } }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
