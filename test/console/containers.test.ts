import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { SUBSCRIPTION } from '../support/jars.ts';
import { type ConsoleStory, consoleStory } from './console-window.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
const HOSTILE = '<img src=x onerror=alert(1)>';
const LOOP = `echo "started ${HOSTILE}"; sleep 30; echo "half a minute later"; sleep infinity`;

/** Uses the service with its own API, as an ordinary client. */
async function manage({ jar }: ConsoleStory, method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(`${jar.httpsUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return answer;
}

const pathOf = (name: string): string =>
  `${GROUP}/providers/Vendor.ContainerInstance/containerGroups/${name}?api-version=2023-05-01`;

const container = (name: string, image: string, more: object = {}): object => ({
  name,
  properties: { image, resources: { requests: { cpu: 1, memoryInGB: 1 } }, ...more },
});

const groupOf = (containers: readonly object[], more: object = {}): object => ({
  location: 'westeurope',
  properties: { osType: 'Linux', restartPolicy: 'Always', containers, ...more },
});

consoleStory('a group appears, its crashes are seen over time, and its log and probes say why', async (story) => {
  const { jar, page, open, accessible } = story;
  await manage(story, 'PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westeurope' });
  await open('containers');
  await page.getByText('There is no container group yet').waitFor();
  await accessible();
  const main = container('main', 'busybox', {
    command: ['sh', '-c', LOOP],
    environmentVariables: [
      { name: 'MODE', value: HOSTILE },
      { name: 'PASSWORD', secureValue: 'confidential' },
    ],
    readinessProbe: { exec: { command: ['cat', '/ready'] }, periodSeconds: 5 },
  });
  await manage(story, 'PUT', pathOf('web'), groupOf([main, container('other', 'simulated/crash:5s')]));
  await jar.settled();

  // The group appears without a reload, and its trouble when the clock brings it.
  await page.getByRole('gridcell', { name: 'Running', exact: true }).waitFor();
  await jar.clock.advance('8s');
  await page.getByRole('gridcell', { name: /CrashLoopBackOff|Unhealthy|Running/ }).waitFor();
  await page.getByRole('link', { name: 'web', exact: true }).click();
  await page.waitForURL(/\/console\/containers\/.*\/shop\/web$/);
  await jar.clock.advance('4s');
  await page.getByText('other ended with exit code 1.').waitFor();
  await page.getByRole('figure', { name: 'States of the containers over time' }).waitFor();
  await page.getByRole('region', { name: 'Probes' }).getByText('failing').waitFor();
  await accessible();

  await page.getByRole('link', { name: 'Logs of main' }).click();
  const log = page.getByRole('region', { name: 'Log of main' });
  await log.getByText(`started ${HOSTILE}`).waitFor();
  await jar.clock.advance('30s');
  await log.getByText('half a minute later').waitFor();
  await page.getByLabel('Only lines with').fill('HALF');
  await page.getByText('1 of 2 lines').waitFor();
  await accessible();
  await page.reload();
  await page.getByText('1 of 2 lines').waitFor();
  await page.getByRole('button', { name: 'main Container' }).click();
  await page.getByRole('option', { name: 'other' }).click();
  await page.getByRole('region', { name: 'Log of other' }).waitFor();

  await page.getByRole('tab', { name: 'Events' }).click();
  await page
    .getByRole('region', { name: 'Events' })
    .getByText(/BackOff ×/)
    .waitFor();
  await page
    .getByRole('region', { name: 'States of the containers' })
    .getByText(/exit code 1/)
    .first()
    .waitFor();
  await page
    .getByRole('region', { name: 'Activity' })
    .getByText(/Creating/)
    .first()
    .waitFor();
  await accessible();
  await page.getByRole('tab', { name: 'Config' }).click();
  await page.getByRole('cell', { name: HOSTILE }).waitFor();
  await page.getByRole('row', { name: 'PASSWORD secure, not shown' }).waitFor();
  await accessible();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByText('"restartPolicy"').waitFor();
  expect(await page.content()).not.toContain('confidential');
});

consoleStory('a terminal in a container answers, and the group is stopped, started and deleted', async (story) => {
  const { jar, page, open, accessible } = story;
  await manage(story, 'PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westeurope' });
  await manage(story, 'PUT', pathOf('box'), groupOf([container('main', 'busybox')]));
  await jar.settled();
  await open(`containers/${SUBSCRIPTION}/shop/box?tab=terminal`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const screen = page.locator('.xterm-rows');
  await screen.getByText('/ #').waitFor();
  await page.keyboard.type('echo "answer $((6 * 7))"\n');
  await screen.getByText('answer 42').waitFor();
  await accessible();
  await page.keyboard.type('exit 5\n');
  await page.getByText('The connection has ended: exit code 5.').waitFor();

  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  // Until the new session has begun, the screen shows the old prompt.
  await page.getByRole('button', { name: 'Disconnect' }).waitFor();
  await screen.getByText('/ #').last().waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Stop all containers?').waitFor();
  await accessible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('main does not run, so there is nothing to connect to.').waitFor();
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByText('The group was stopped by a request.').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('All containers run.').waitFor();
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await page.getByText('The group is restarted.').waitFor();
  await jar.settled();
  await page.getByText('All containers run.').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Delete box with 1 container, logs and volumes?').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('There is no container group yet').waitFor();
});

consoleStory('a deleted group is not read again while the answer is on its way', async (story) => {
  const { jar, page, open } = story;
  await manage(story, 'PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westeurope' });
  await manage(story, 'PUT', pathOf('box'), groupOf([container('main', 'busybox')]));
  await jar.settled();
  await open(`containers/${SUBSCRIPTION}/shop/box`);
  await page.getByText('All containers run.').waitFor();
  // The answer arrives after the live stream has announced the deletion, and after the pause that pages make between two reads.
  const announced = page.getByRole('contentinfo').getByRole('link', { name: /DELETE/ });
  await page.route('**/containerGroups/box?*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    const answer = await route.fetch();
    await announced.waitFor();
    await setTimeout(1_500);
    return route.fulfill({ response: answer });
  });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('The group was deleted.').waitFor();
  await page.getByText('There is no container group yet').waitFor();
});

consoleStory('a page that is read slowly is up to date while much else changes', async (story) => {
  const { jar, page, open } = story;
  await manage(story, 'PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westeurope' });
  await manage(story, 'PUT', pathOf('box'), groupOf([container('main', 'busybox')]));
  await jar.settled();
  await page.route('**/_jar/containers/groups/*/*/*', async (route) => {
    await setTimeout(1_300);
    // The page may have cancelled the request, or the story may be over.
    await route.continue().catch(() => undefined);
  });
  await open(`containers/${SUBSCRIPTION}/shop/box`);
  await page.getByText('All containers run.').waitFor();
  let isOver = false;
  const changing = (async () => {
    for (let n = 0; !isOver; n++) {
      await manage(story, 'PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westeurope', tags: { n: `${n}` } });
      await setTimeout(200);
    }
  })();
  await manage(story, 'POST', pathOf('box').replace('?', '/stop?'));
  await page
    .getByText('The group was stopped by a request.')
    .waitFor()
    .finally(() => {
      isOver = true;
    });
  await changing;
});

consoleStory(
  'a person who may only read sees groups and logs, and has neither a terminal nor buttons',
  async (story) => {
    const { jar, page, open } = story;
    await manage(story, 'PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westeurope' });
    await manage(
      story,
      'PUT',
      pathOf('box'),
      groupOf([container('main', 'busybox', { command: ['echo', 'read me'] })]),
    );
    await jar.settled();
    await open(`containers/${SUBSCRIPTION}/shop/box?tab=logs`);
    await page.getByRole('region', { name: 'Log of main' }).getByText('read me').first().waitFor();
    expect(await page.getByRole('tab', { name: 'Terminal' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Stop|Restart|Start|Delete)$/ }).count()).toBe(0);
  },
  { role: 'reader' },
);
