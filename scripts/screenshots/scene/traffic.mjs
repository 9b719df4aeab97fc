import { setTimeout } from 'node:timers/promises';

const SECONDS = 40;

/**
 * Requests as a test run makes them, so that there is something to see over time.
 * @param {import('./client.mjs').Client} ask
 */
export async function playTraffic(ask) {
  for (let second = 0; second < SECONDS; second++) {
    const count = Math.round(9 + 6 * Math.sin(second / 4) + 3 * Math.sin(second * 1.7));
    for (let n = 0; n < count; n++) {
      await setTimeout(1000 / count);
      const name = (second * 7 + n) % 23 === 0 ? 'shop-preview' : 'shop';
      if (n % 4 === 0) await ask.send('GET', '/languages?api-version=3.0');
      else if (n % 4 === 1) await ask.send('POST', '/detect?api-version=3.0', [{ text: 'Guten Morgen' }]);
      else await ask.group(name, 'GET', n % 4 === 2 ? '/resources' : '');
    }
  }
}
