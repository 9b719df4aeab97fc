import type { ContainerPlan, GroupPlan } from '../plan.ts';

/** The environment of a container when it starts. */
export interface Inside {
  readonly command: readonly string[] | undefined;
  readonly environment: readonly (readonly [name: string, value: string])[];
  /** By path; the path of an empty folder ends in a slash. */
  readonly files: Readonly<Record<string, string>>;
  readonly hostname: string;
  /** Mounted volumes that other containers may write to: path to volume name. */
  readonly shared: Readonly<Record<string, string>>;
}

/** An image's own command is unknown; for an init container it is assumed to succeed at once. */
const DOES_ITS_WORK: readonly string[] = ['true'];

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function childrenKeyOf(plan: GroupPlan, container: ContainerPlan): Inside {
  const given = container.env.map(({ name, value }) => [name, value] as const);
  const files: Record<string, string> = {
    '/etc/hostname': `${plan.name}\n`,
    '/etc/resolv.conf': resolvConf(plan),
  };
  const shared: Record<string, string> = {};
  for (const mount of container.mounts) {
    const volume = plan.volumes.find(({ name }) => name === mount.volume);
    const place = mount.path.replace(/\/+$/, '');
    files[`${place}/`] = '';
    if (volume?.kind === 'secret') {
      for (const [name, content] of Object.entries(volume.files)) {
        files[`${place}/${name}`] = Buffer.from(content, 'base64').toString('utf8');
      }
    } else if (volume) shared[place] = volume.name;
  }
  const isInit = plan.init.some(({ name }) => name === container.name);
  return {
    command: container.command ?? (isInit ? DOES_ITS_WORK : undefined),
    environment: [['PATH', PATH], ['HOME', '/root'], ['HOSTNAME', plan.name], ...given],
    files,
    hostname: plan.name,
    shared,
  };
}

function resolvConf({ network: { dns } }: GroupPlan): string {
  if (!dns) return 'nameserver 127.0.0.11\n';
  const lines = dns.nameServers.map((server) => `nameserver ${server}`);
  if (dns.searchDomains.length > 0) lines.push(`search ${dns.searchDomains.join(' ')}`);
  if (dns.options.length > 0) lines.push(`options ${dns.options.join(' ')}`);
  return `${lines.join('\n')}\n`;
}
