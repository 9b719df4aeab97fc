import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BEHAVIOUR_NAMES, behaviourOf } from '../../../src/kernel/engines/simulated/behaviour.ts';
import { COMMANDS } from '../../../src/kernel/engines/simulated/shell/commands.ts';
import { onBothStores } from '../../support/jars.ts';
import { container, groupBody, groupPath, makeResourceGroup, putGroup } from './small-groups.ts';

const page = readFileSync(new URL('../../../docs/services/containers-engines.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## Simulated engine'));

it('names every image and every command', () => {
  const images = [...section.matchAll(/^\| `simulated\/([a-z-]+)(?::[\w-]+)?` \|/gm)].map(([, name]) => name);
  expect(images.sort()).toEqual([...BEHAVIOUR_NAMES].sort());
  const commands = /^\| commands \| (.*?);/m.exec(section)?.[1]?.match(/`([^`]+)`/g) ?? [];
  expect(commands.map((it) => it.slice(1, -1)).sort()).toEqual(Object.keys(COMMANDS).sort());
});

it('gives images that are understood', () => {
  for (const [, image = ''] of section.matchAll(/^\| `(simulated\/[\w:-]+)` \|/gm)) {
    expect(behaviourOf(image, 1).pull).not.toMatchObject({ message: expect.any(String) });
  }
});

onBothStores('the example on the page', (bench) => {
  it('is killed by its probe half a minute after its start', async () => {
    const script = /```bash\n(touch[^`]*)```/.exec(section)?.[1] ?? '';
    await makeResourceGroup(bench);
    const properties = {
      command: ['sh', '-c', script],
      livenessProbe: { exec: { command: ['cat', '/tmp/healthy'] }, periodSeconds: 5, failureThreshold: 1 },
    };
    await putGroup(bench, 'example', groupBody([container('main', 'busybox', properties)]));
    const view = async () =>
      (await bench.call('GET', groupPath('example'))).body.properties.containers[0].properties.instanceView;
    await bench.jar.clock.advance('29s');
    expect(await view()).toMatchObject({ restartCount: 0, currentState: { state: 'Running' } });
    await bench.jar.clock.advance('31s');
    const { restartCount, events } = await view();
    expect(restartCount).toBe(1);
    expect(events.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['Unhealthy', 'Killing']));
  });
});
