import type { Bench } from '../../../support/jars.ts';
import { type Ask, good } from '../support.ts';

export const SPARK = '16.4.x-scala2.12';
export const NODE = 'Standard_DS3_v2';

/** The minimal attributes of a cluster. */
export const PLAIN = { cluster_name: 'plain', spark_version: SPARK, node_type_id: NODE, num_workers: 2 };

export const createCluster = async (ask: Ask, spec: object = {}): Promise<string> =>
  (await good(ask('POST', '/api/2.1/clusters/create', { ...PLAIN, ...spec }))).cluster_id;

export const getCluster = (ask: Ask, id: string) => good(ask('GET', `/api/2.1/clusters/get?cluster_id=${id}`));

/** Creates a cluster and waits until it runs. */
export async function runningCluster(bench: Bench, ask: Ask, spec: object = {}): Promise<string> {
  const id = await createCluster(ask, spec);
  await bench.jar.clock.advance('4m');
  return id;
}

export const eventTypes = async (ask: Ask, id: string, more: object = {}): Promise<string[]> =>
  (await good(ask('POST', '/api/2.1/clusters/events', { cluster_id: id, order: 'ASC', ...more }))).events.map(
    ({ type }: { type: string }) => type,
  );

/** Retries if the store is overloaded, as clients do: on a busy machine a burst of calls may meet that. */
export const patient =
  (ask: Ask): Ask =>
  async (...asked) => {
    for (;;) {
      const reply = await ask(...asked);
      if (reply.status !== 503) return reply;
    }
  };
