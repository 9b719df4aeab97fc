import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody, PortBody } from '../schema.ts';

const nameOf = ({ port, protocol = 'TCP' }: PortBody): string => `${port}/${protocol}`;

/** All containers of a group share its network, so only one of them can use a port. */
export function wrongContainerPorts(body: GroupBody): ApiError[] {
  const owners = new Map<number, number>();
  const seen = new Set<string>();
  return (body.properties?.containers ?? []).flatMap(({ properties }, index) =>
    (properties?.ports ?? []).flatMap((port, at) => {
      if (port.port === undefined) return [];
      const owner = owners.get(port.port) ?? index;
      owners.set(port.port, owner);
      const taken = owner !== index || seen.has(nameOf(port));
      seen.add(nameOf(port));
      if (!taken) return [];
      const target = `properties.containers[${index}].properties.ports[${at}].port`;
      return [containerErrors.DuplicateContainerPort({ value: port.port }, { target })];
    }),
  );
}

/** Ports are not mapped: a port of the group must be a port that a container exposes. */
export function wrongGroupPorts(body: GroupBody): ApiError[] {
  const { containers = [], ipAddress } = body.properties ?? {};
  const exposed = new Set(containers.flatMap(({ properties }) => (properties?.ports ?? []).map(nameOf)));
  const seen = new Set<string>();
  return (ipAddress?.ports ?? []).flatMap((port, index) => {
    if (port.port === undefined) return [];
    const name = nameOf(port);
    const again = seen.has(name);
    seen.add(name);
    const rule = again ? 'it occurs more than once' : 'no container exposes it with this protocol';
    if (!again && exposed.has(name)) return [];
    const target = `properties.ipAddress.ports[${index}].port`;
    return [containerErrors.InvalidIpAddressPorts({ value: port.port, rule }, { target })];
  });
}
