import { beforeEach, describe, expect, it } from 'vitest';
import { EngineClient } from '../../../../src/kernel/engines/docker/client.ts';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { importPythonImage } from '../../../support/python-image.ts';
import { usePodman } from '../../../support/use-podman.ts';

/** Doubles every instance, and returns its environment. */
const PROGRAM = `
import json, os
from http.server import BaseHTTPRequestHandler, HTTPServer
class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps({"predictions": [2 * each for each in sent["instances"]], "key": os.environ["KEY"]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
HTTPServer(("0.0.0.0", int(os.environ["PORT"])), Model).serve_forever()
`;

const PORT = '9173';

describe('data platform: models in containers', () => {
  let socket: string;
  let engine: EngineClient;

  beforeEach(async (context) => {
    socket = await usePodman(context);
    engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
    await importPythonImage(engine, 'local/python');
    return () => engine.close();
  });

  /** Filtered by port, since other tests use the engine as well. */
  const models = async () =>
    (await engine.json<object[]>('GET', '/containers/json')).filter((each) => JSON.stringify(each).includes(PORT));

  it('answers queries in an image of the engine, is replaced with the configuration, and goes with the endpoint', {
    timeout: 240_000,
  }, async () => {
    const settings = { containers: { socket, stopGraceSeconds: 0 } };
    const jar: TestJar = await startJar({ engine: 'docker', settings });
    try {
      const token = await jar.token({ ttl: '365d' });
      const call = async (method: string, path: string, body?: unknown) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const reply = await fetch(jar.url + path, {
          method,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { status: reply.status, body: (await reply.json()) as never as Record<string, never> };
      };
      await call('POST', '/api/2.0/secrets/scopes/create', { scope: 's' });
      await call('POST', '/api/2.0/secrets/put', { scope: 's', key: 'k', string_value: 'secret' });
      const served = (command: string) => ({
        served_entities: [
          {
            name: 'a',
            entity_name: 'system.ai.m',
            entity_version: '1',
            environment_vars: {
              CLOUDJAR_MODEL_IMAGE: 'local/python',
              CLOUDJAR_MODEL_PORT: PORT,
              CLOUDJAR_MODEL_COMMAND: command,
              KEY: '{{secrets/s/k}}',
              PROGRAM,
            },
          },
        ],
      });
      const path = '/api/2.0/serving-endpoints';
      await call('POST', path, { name: 'e', config: served('exec python3 -c "$PROGRAM"') });
      await jar.clock.advance('5m');
      const state = async () => (await call('GET', `${path}/e`)).body.state;
      expect(await state()).toEqual({ ready: 'READY', config_update: 'NOT_UPDATING' });
      const ask = () => call('POST', '/serving-endpoints/e/invocations', { instances: [1, 21] });
      expect(await ask()).toEqual({ status: 200, body: { predictions: [2, 42], key: 'secret' } });
      // A container that does not start leaves the previous one in place.
      await call('PUT', `${path}/e/config`, served('exit 3'));
      await jar.clock.advance('5m');
      expect(await state()).toEqual({ ready: 'READY', config_update: 'UPDATE_FAILED' });
      expect((await ask()).body).toEqual({ predictions: [2, 42], key: 'secret' });
      expect((await models()).length).toBeGreaterThan(0);
      await call('DELETE', `${path}/e`);
      await eventually(async () => {
        await jar.settled();
        expect(await models()).toEqual([]);
      });
    } finally {
      await jar.close();
    }
  });
});
