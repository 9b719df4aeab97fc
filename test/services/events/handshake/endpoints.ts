import { afterAll } from 'vitest';
import { type Received, type Receiver, startReceiver } from '../../../kernel/delivery/receivers.ts';
import type { Bench } from '../../../support/jars.ts';
import { AT_GROUP, hook as anyHook, http, QUIET } from '../subscriptions/bench.ts';

export const codeIn = ({ body }: Received): string => JSON.parse(body)[0].data.validationCode;
export const urlIn = ({ body }: Received): string => JSON.parse(body)[0].data.validationUrl;

export const agreeing: Receiver['answer'] = (request, response) => {
  if (request.method === 'OPTIONS') response.setHeader('webhook-allowed-origin', '*');
  response.end(request.body === '' ? '' : JSON.stringify({ validationResponse: codeIn(request) }));
};
export const saying =
  (status: number, body = ''): Receiver['answer'] =>
  (_, response) => {
    response.statusCode = status;
    response.end(body);
  };

/** Matches no events, so that only handshakes arrive. */
export const hook = (url: string, more: object = {}, properties: object = {}) =>
  anyHook(url, more, { ...QUIET, ...properties });

export const CLOUD_EVENTS = { eventDeliverySchema: 'CloudEventSchemaV1_0' };

/** Endpoints that are closed after the tests, and the states of subscriptions to them. */
export function endpointsOf(bench: Bench) {
  const receivers: Receiver[] = [];
  const receiver = async (answer: Receiver['answer']): Promise<Receiver> => {
    const one = await startReceiver(answer);
    receivers.push(one);
    return one;
  };
  afterAll(() => Promise.all(receivers.map((each) => each.close())));
  const api = () => http(bench);
  const stateOf = async (name: string): Promise<string> => (await api().get(name)).body.properties.provisioningState;
  const deliveries = async (name: string) => {
    const key = `${AT_GROUP}/providers/vendor.eventgrid/eventsubscriptions/${name}`.toLowerCase();
    const query = `owner=${encodeURIComponent(key)}&policy=events.handshake&$orderby=id`;
    const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
    const list = await bench.call('GET', `/_jar/deliveries?${query}`, { token: null, headers });
    return Promise.all(
      list.body.value.map(
        async ({ id }: { id: string }) =>
          (await bench.call('GET', `/_jar/deliveries/${id}`, { token: null, headers })).body,
      ),
    );
  };
  return { receiver, api, stateOf, deliveries };
}
