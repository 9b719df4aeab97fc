import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVENTS } from '../../../../src/services/events/index.ts';
import { TOPIC_LIMITS, TOPIC_TYPES } from '../../../../src/services/events/topics/types.ts';
import { runTypeScript } from '../../../docs/examples.ts';
import { addressedTo, typeScriptOf, withCredential } from '../../../docs/page-jar.ts';
import { withJar } from '../../../support/jars.ts';

const PAGE = 'docs/services/events-topics.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

const own = ['NameAlreadyTaken', 'QuotaReached', 'InvalidRequest', 'TopicTypeNotFound', 'ResourceNotFound'];
it.each([...own, ...TOPIC_LIMITS.map(({ name }) => name)])('the page about topics names %s', (name) => {
  expect(page.includes(`\`${name}\``)).toBe(true);
});

it.each(TOPIC_TYPES.map(({ type }) => type))('the jar offers %s once', (type) => {
  expect(EVENTS.resourceTypes?.filter((each) => each.type === type)).toHaveLength(1);
});

withJar((bench) => {
  it('the example of the page about topics runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-topics-'));
    try {
      await writeFile(join(folder, 'ca.pem'), bench.jar.ca);
      const code = withCredential(addressedTo(bench.jar, await typeScriptOf(PAGE)), await bench.jar.token());
      const shown = await runTypeScript(code, {
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      });
      expect(shown).toBe(`${bench.jar.httpsUrl}/events/westeurope/orders/api/events\n44\ntenant-1\n`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
