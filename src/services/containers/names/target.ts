import type { Store } from '../../../kernel/store/index.ts';
import { groupNamed, type NamedGroup } from './find.ts';

/** Where a request for a host name is forwarded to, or why it cannot be. */
export type Target = Reachable | { readonly status: 404 | 502 | 503; readonly reason: string };

export interface Reachable {
  readonly group: NamedGroup;
  readonly ip: string;
  readonly port: number;
}

/** The port of web servers, used for a name without a port. */
const WEB = 80;

/**
 * `shop.westus.containers.localhost` is the group with that name, at port 80 or, if the group does not publish port 80, at its first port.
 * `8080.shop.westus.containers.localhost` is its port 8080. `asked` is a port that the request itself names, as requests to a proxy do.
 */
export async function targetOf(store: Pick<Store, 'get'>, host: string, asked: number | undefined): Promise<Target> {
  const group = await groupNamed(store, host);
  if (group) return reachable(group, asked ?? usualPort(group));
  const [, port, rest] = /^(\d{1,5})\.(.+)$/.exec(host) ?? [];
  const named = rest === undefined ? undefined : await groupNamed(store, rest);
  if (named) return reachable(named, Number(port));
  return { status: 404, reason: `No container group has the name '${host}'.` };
}

const usualPort = ({ tcpPorts }: NamedGroup): number => (tcpPorts.includes(WEB) ? WEB : (tcpPorts[0] ?? WEB));

function reachable(group: NamedGroup, port: number): Target {
  const { name, state, ip, isSimulated, tcpPorts } = group;
  if (!tcpPorts.includes(port)) {
    const published = tcpPorts.length === 0 ? 'none' : tcpPorts.join(', ');
    return {
      status: 502,
      reason: `The container group '${name}' does not publish the TCP port ${port}; it publishes ${published}.`,
    };
  }
  if (state !== 'Running' || ip === undefined)
    return { status: 503, reason: `The container group '${name}' is not running: its state is ${state}.` };
  if (isSimulated) {
    const advice = "start the jar with '--engine docker' to run its containers";
    return {
      status: 502,
      reason: `The container group '${name}' is simulated, and nothing listens on its ports; ${advice}.`,
    };
  }
  return { group, ip, port };
}
