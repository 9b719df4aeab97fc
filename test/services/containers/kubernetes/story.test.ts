import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { pause } from '../../../../src/kernel/time/timers.ts';
import { StandInCluster } from '../../../kernel/engines/kubernetes/api-server.ts';
import { type Bench, onBothStores } from '../../../support/jars.ts';
import { aContainer, aGroup, Groups } from '../groups.ts';

// Started before the jars, whose settings contain its address.
const cluster = new StandInCluster();
await cluster.start();
afterAll(() => cluster.stop());

const settings = { containers: { kubernetes: { kubeconfig: cluster.kubeconfig } } };

/** Waits until the group is in the wanted state, without advancing the clock. */
async function until(groups: Groups, name: string, is: (properties: Properties) => boolean): Promise<Properties> {
  const end = Date.now() + 30_000;
  for (;;) {
    const { body } = await groups.get(name);
    if (body?.properties && is(body.properties)) return body.properties;
    if (Date.now() > end) expect.fail(`not in time: ${JSON.stringify(body, null, 2)}`);
    await pause(20);
  }
}

/** Types into a terminal after its first output, and returns all of its output. */
function talk(
  opened: { webSocketUri: string; password: string },
  line: string,
): Promise<{ text: string; reason: string }> {
  const socket = new WebSocket(opened.webSocketUri);
  let text = '';
  socket.once('open', () => socket.send(opened.password));
  socket.once('message', () => socket.send(line));
  socket.on('message', (data) => {
    text += data.toString();
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', (_code, reason) => resolve({ text, reason: reason.toString() }));
  });
}

// biome-ignore lint/suspicious/noExplicitAny: looked into as it comes
type Properties = any;

const isRunning = ({ provisioningState, instanceView }: Properties): boolean =>
  provisioningState === 'Succeeded' && instanceView.state === 'Running';

const viewOf = ({ containers }: Properties) => containers[0].properties.instanceView;

onBothStores(
  'container groups on a cluster',
  (bench: Bench) => {
    const groups = new Groups(bench, 'cluster');

    describe('from creation to deletion', () => {
      beforeAll(() => {
        cluster.images.clear();
        cluster.images.set('nginx', { writes: 'hello from the cluster\n' });
      });

      const body = aGroup({
        ipAddress: { type: 'Public', ports: [{ port: 80, protocol: 'TCP' }] },
        containers: [
          aContainer('web', {
            ports: [{ port: 80 }],
            environmentVariables: [{ name: 'PASSWORD', secureValue: 'never-to-be-seen' }],
          }),
        ],
      });

      it('runs what was put, with an address, without a word of its secrets in the Pod', async () => {
        const made = await groups.put('first', body);
        expect([made.status, made.body.properties?.provisioningState]).toEqual([201, 'Pending']);
        const properties = await until(groups, 'first', (it) => isRunning(it) && it.ipAddress.ip !== undefined);
        expect(properties.ipAddress.ip).toMatch(/^203\.0\.113\./);
        expect(viewOf(properties)).toMatchObject({ restartCount: 0, currentState: { state: 'Running' } });
        expect(viewOf(properties).events.map(({ name }: Properties) => name)).toEqual(['Pulling', 'Pulled', 'Started']);
        expect(cluster.pods()).toHaveLength(1);
        expect(JSON.stringify([cluster.pods(), cluster.services()])).not.toContain('never-to-be-seen');
      });

      it('gives the log of a container', async () => {
        const log = await groups.call('GET', 'first/containers/web/logs');
        expect(log.body).toEqual({ content: 'hello from the cluster\n' });
      });

      it('opens a terminal in a container, which ends with its process', async () => {
        cluster.onProcess = (process) => {
          expect(process).toMatchObject({ command: ['/bin/sh'], terminal: true });
          process.write('$ ');
          process.onInput((data) => {
            process.write(`you said ${data}`);
            process.exit(3);
          });
        };
        const body = { command: '/bin/sh', terminalSize: { rows: 24, cols: 80 } };
        const opened = await groups.call('POST', 'first/containers/web/exec', { body });
        expect(opened.status).toBe(200);
        const session = await talk(opened.body, 'hello');
        expect(session).toEqual({ text: '$ you said hello', reason: 'exit code 3' });
      });

      it('is built anew when somebody deletes its Pod, and says so', async () => {
        const [pod] = cluster.pods();
        cluster.store.remove('pods', pod?.metadata.namespace ?? '', pod?.metadata.name ?? '');
        const properties = await until(groups, 'first', (it) => isRunning(it) && viewOf(it).restartCount === 1);
        expect(properties.instanceView.events.map(({ name }: Properties) => name)).toContain('SandboxChanged');
        expect(cluster.pods()).toHaveLength(1);
      });

      it('restarts with the same address and the same count of restarts', async () => {
        const before = await until(groups, 'first', (it) => isRunning(it) && it.ipAddress.ip !== undefined);
        const [pod] = cluster.pods();
        expect((await groups.call('POST', 'first/restart')).status).toBe(204);
        await until(groups, 'first', () => cluster.pods()[0]?.metadata.uid !== pod?.metadata.uid);
        const after = await until(groups, 'first', (it) => isRunning(it) && it.ipAddress.ip !== undefined);
        expect(after.ipAddress.ip).toBe(before.ipAddress.ip);
        expect(viewOf(after).restartCount).toBe(1);
      });

      it('stops, leaving nothing in the cluster, and starts again', async () => {
        expect((await groups.call('POST', 'first/stop')).status).toBe(204);
        const stopped = await until(groups, 'first', ({ instanceView }) => instanceView.state === 'Stopped');
        expect(viewOf(stopped).currentState.state).toBe('Terminated');
        expect([cluster.pods(), cluster.secrets(), cluster.services()]).toEqual([[], [], []]);
        const log = await groups.call('GET', 'first/containers/web/logs');
        expect(log.body).toEqual({ content: 'hello from the cluster\n' });
        expect((await groups.call('POST', 'first/start')).status).toBe(202);
        await until(groups, 'first', isRunning);
        expect(cluster.pods()).toHaveLength(1);
      });

      it('leaves nothing behind when it is deleted', async () => {
        expect((await groups.delete('first')).status).toBe(200);
        const end = Date.now() + 30_000;
        while (cluster.pods().length + cluster.secrets().length + cluster.services().length > 0) {
          expect(Date.now()).toBeLessThan(end);
          await pause(20);
        }
      });
    });

    it('comes up by itself when the cluster answers again', async () => {
      cluster.fail({ times: Number.POSITIVE_INFINITY, status: 503 });
      cluster.dropWatches();
      expect((await groups.put('patient', aGroup())).status).toBe(201);
      const requests = cluster.requests.length;
      await until(groups, 'patient', () => cluster.requests.length > requests);
      cluster.mend();
      await until(groups, 'patient', isRunning);
      await groups.delete('patient');
    });
  },
  { engine: 'kubernetes', settings },
);
