import type { Answer, Route } from '../kernel/http/index.ts';
import {
  type Call,
  eventStream,
  JsonText,
  route,
  type ServerSentEvent,
  type Watched,
} from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';
import { type Frame, TickSchema } from './live/frame.ts';
import { LiveHub } from './live/hub.ts';
import { type Beginning, type Position, readId } from './live/position.ts';

/** One stream for all pages of a console: figures and samples of what happened, a few times a second. */
export function liveRoute({ host, requests }: Pick<Controls, 'host' | 'requests'>): Route {
  let hub: LiveHub | undefined;
  return route({
    method: 'GET',
    path: '/_jar/live',
    operation: 'Jar_Live',
    summary:
      'What happens in the jar, summarised in at most four events a second: requests, changes, due work, clock, health; from now on, or after Last-Event-ID',
    quiet: true,
    produces: 'text/event-stream',
    events: { tick: TickSchema },
    responses: { 200: 'Server-sent events `tick`, the first immediately' },
    handle(call): Answer {
      hub ??= new LiveHub({ jar: call.jar, host, requests });
      return streamLive(call, hub, beginningOf(call, requests));
    },
  });
}

function beginningOf({ headers }: Pick<Call, 'headers'>, requests: Controls['requests']): Beginning | undefined {
  const seen = headers['last-event-id'];
  return seen === undefined ? undefined : readId(requests, String(seen));
}

export function streamLive(call: Pick<Call, 'jar' | 'signal'>, hub: LiveHub, resumed: Beginning | undefined): Answer {
  return eventStream(call, follow(hub, resumed));
}

function follow(hub: LiveHub, resumed: Beginning | undefined): Watched {
  let seen: Position | undefined;
  const tell = async (from: Beginning, to: Position): Promise<ServerSentEvent> => {
    const { id, text, end }: Frame = await hub.frame(from, to);
    seen = end;
    return { id, event: 'tick', data: new JsonText(text) };
  };
  return {
    watch: (notify) => hub.watch(notify),
    async *look() {
      if (!seen) {
        const here = await hub.here();
        // The first frame tells the health in any case.
        yield tell(resumed ?? { ...here, health: undefined }, here);
      }
      const { newest } = hub;
      if (seen && newest && newest.serial > seen.serial) yield tell(seen, newest);
      return 'wait';
    },
  };
}
