import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../test/support/chromium.ts';
import type { Case, Comparison } from '../lib/case.ts';
import { startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';
import { putLoadOn } from '../lib/load.ts';

/** What a person feels as a hitch, more or less. */
const LONGEST_MS = 200;
/** The browser reports tasks from this length on. */
const SHORTEST_REPORTED_MS = 50;
const REQUESTS_PER_SECOND = 1000;
const WHEEL_PX = 4000;
const WHEEL_PAUSE_MS = 30;

export const consoleCase: Case = {
  name: 'console',
  summary: `The longest task of the browser's main thread, as the browser reports it, while a person scrolls long lists in the console, and while the jar answers ${REQUESTS_PER_SECOND} requests a second.`,
  async run({ quick, folder, say }) {
    const counts = quick ? { deliveries: 3000, resources: 1000 } : { deliveries: 100_000, resources: 10_000 };
    const data = join(folder, 'data');
    say('filling the jar');
    await fill(data, counts);
    const jar = await startJarProcess(folder, ['--clock', 'virtual']);
    const found = await findChromium();
    if ('missing' in found) throw new Error(found.missing);
    const browser = await chromium.launch(found);
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.addInitScript(WATCH_TASKS);
      await page.goto(await linkTo(jar.url, join(data, 'admin.key')));
      await page.getByRole('banner').waitFor();

      say('scrolling deliveries');
      await page.goto(`${jar.url}/console/deliveries`);
      const scrolled = await scrollThrough(page, 'Deliveries', counts.deliveries);
      say('scrolling resources');
      await page.goto(`${jar.url}/console/resources`);
      const resources = await scrollThrough(page, 'Resources', counts.resources);

      say('watching requests');
      const groups = await groupAddresses(jar);
      const url = jar.url + groups.of('bench');
      const headers = { authorization: `Bearer ${groups.token}` };
      const body = JSON.stringify(GROUP_BODY);
      await fetch(url, { method: 'PUT', headers: { ...headers, 'content-type': 'application/json' }, body });
      await page.goto(`${jar.url}/console/requests`);
      await page.getByRole('grid').waitFor();
      await tasksSince(page);
      const load = { url, method: 'GET', headers, connections: 20, rate: REQUESTS_PER_SECOND } as const;
      const { perSecond } = await putLoadOn(jar, { ...load, seconds: quick ? 3 : 15 });
      const watched = await tasksSince(page);
      return [
        longest(
          `${counts.deliveries.toLocaleString('en')} deliveries scrolled from the newest to the oldest`,
          scrolled,
        ),
        longest(`${counts.resources.toLocaleString('en')} resources scrolled`, resources),
        longest(`requests followed at ${Math.round(perSecond)} requests a second`, watched),
      ];
    } finally {
      await browser.close();
      await jar.stop();
    }
  },
};

interface Tasks {
  /** In milliseconds; 0 if none was long enough to be reported. */
  readonly longest: number;
  readonly count: number;
}

const longest = (title: string, { longest: ms, count }: Tasks): Comparison => ({
  title,
  unit: 'ms',
  baseline: { name: 'bound', values: [LONGEST_MS] },
  subject: { name: 'longest task', values: [Math.max(ms, SHORTEST_REPORTED_MS)] },
  target: { atMost: 1 },
  note: `${count} tasks of ${SHORTEST_REPORTED_MS} ms or more, which is the shortest that browsers report.`,
});

/** Scrolls until all rows were read and the end is shown; returns the tasks since the page was opened. */
async function scrollThrough(page: Page, label: string, count: number): Promise<Tasks> {
  const grid = page.getByRole('grid', { name: label });
  await grid.getByRole('row').nth(1).waitFor();
  await grid.hover();
  // As long as there are more, the text is '200 rows read, more follow'.
  const atEnd = page.getByText(/^[\d,]+ rows$/);
  while (!(await atEnd.isVisible())) {
    await page.mouse.wheel(0, WHEEL_PX);
    await page.waitForTimeout(WHEEL_PAUSE_MS);
  }
  const shown = Number(((await atEnd.textContent()) ?? '').replaceAll(/\D/g, ''));
  if (shown < count) throw new Error(`the list shows ${shown} of ${count} rows`);
  return tasksSince(page);
}

/** Runs in the page, before anything else. */
const WATCH_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'longtask', buffered: true });`;

/** The long tasks of the page since it was opened, or since the last call. */
async function tasksSince(page: Page): Promise<Tasks> {
  const tasks = await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks.splice(0));
  return { longest: Math.max(0, ...tasks), count: tasks.length };
}

async function linkTo(url: string, keyFile: string): Promise<string> {
  const key = readFileSync(keyFile, 'utf8').trim();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const made = await fetch(`${url}/_jar/console/links`, { method: 'POST', headers, body: '{}' });
  const { url: link } = (await made.json()) as { url: string };
  return link;
}

async function fill(data: string, { deliveries, resources }: Readonly<Record<'deliveries' | 'resources', number>>) {
  const program = fileURLToPath(new URL('../lib/fill-console-process.ts', import.meta.url));
  const child = fork(program, [data, String(deliveries), String(resources)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`the jar was not filled: status ${status}`);
}
