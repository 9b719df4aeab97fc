import { Type } from 'typebox';
import type { Route } from '../../kernel/http/index.ts';
import { type Call, eventStream, type Followed, type Jar } from '../../kernel/service/index.ts';
import { isReader, route } from '../family.ts';
import { inboxes, inboxRequests, requestKey } from './collections.ts';
import { inboxErrors } from './errors.ts';
import { readName } from './receive.ts';
import { readersView, requestView } from './record.ts';

const BATCH = 100;
/** The requests of an inbox as server-sent events: from now on, or after the last one that the client has seen. */
export const inboxStreamRoute: Route = route({
  method: 'GET',
  path: '/_jar/inbox/{name}/stream',
  operation: 'Jar_StreamInbox',
  summary: 'The requests of an inbox as server-sent events: from now on, from the start, or after Last-Event-ID',
  query: Type.Object({ from: Type.Optional(Type.Enum(['now', 'start'])) }),
  produces: 'text/event-stream',
  responses: { 200: 'Server-sent events' },
  async handle(call) {
    const name = readName(call.params.name);
    const from = await firstNumber(call, name);
    return eventStream(call, follow(call, name, from, isReader(call) ? readersView : requestView));
  },
});

/** The number of the last request that is not sent. */
async function firstNumber({ jar, headers, query }: Call<unknown, { from?: string }>, name: string): Promise<number> {
  const last = headers['last-event-id'];
  if (last === undefined) return query.from === 'start' ? 0 : newest(jar, name);
  if (typeof last !== 'string' || !/^\d{1,15}$/.test(last))
    throw inboxErrors.BadEventId({ id: String(last).slice(0, 60) });
  return Number(last);
}

async function newest(jar: Pick<Jar, 'store'>, name: string): Promise<number> {
  const inbox = await jar.store.get(inboxes, name);
  return inbox === undefined ? 0 : inbox.value.next - 1;
}

function follow({ jar }: Pick<Call, 'jar'>, name: string, from: number, view: typeof requestView): Followed {
  let told = from;
  /** Etag of the last request that was sent. A different etag under the same number means that the inbox was recreated. */
  let etag: string | undefined;
  return {
    isNews: (news) => news.collections.includes(inboxes.name),
    async *look() {
      const after = [requestKey(name, Math.max(0, told - 1))];
      const page = await jar.store.query(inboxRequests, { prefix: `${name}/`, after, limit: BATCH });
      const last = page.items.find(({ value }) => value.number === told);
      const isOther = last !== undefined && etag !== undefined && last.etag !== etag;
      // An inbox that was recreated, by a reset or a restored snapshot, is streamed from its beginning.
      if (isOther || (page.items.length === 0 && (await newest(jar, name)) < told)) {
        told = 0;
        etag = undefined;
        return 'again';
      }
      etag ??= last?.etag;
      for (const item of page.items) {
        if (item === last) continue;
        yield { id: item.value.number, event: 'request', data: view(item.value) };
        told = item.value.number;
        etag = item.etag;
      }
      return page.next === undefined ? 'wait' : 'again';
    },
  };
}
