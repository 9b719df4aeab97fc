// What happens in the jar before the pictures: a shop with orders, containers, a nightly job and models, and mistakes in each.
import { client } from './client.mjs';
import { runContainers } from './containers.mjs';
import { placeOrders } from './orders.mjs';
import { runPlatform } from './platform.mjs';
import { playTraffic } from './traffic.mjs';

/** @typedef {Awaited<ReturnType<typeof playScene>>} Scene */

/** @param {import('../../../src/testing/index.ts').TestJar} jar */
export async function playScene(jar) {
  const ask = await client(jar);
  for (const name of ['shop', 'shop-staging', 'reports', 'experiments']) {
    await ask.group(name, 'PUT', '', { location: 'westeurope', tags: { team: 'shop' } });
  }
  await ask.group('shop-production', 'GET');
  await runContainers(jar, ask);
  const platform = await runPlatform(jar, ask);
  const events = await placeOrders(jar, ask);
  await ask.control('POST', '/_jar/faults', {
    match: { service: 'translator' },
    effect: { status: 429 },
    count: 3,
  });
  await playTraffic(ask);
  return { ...platform, ...events };
}
