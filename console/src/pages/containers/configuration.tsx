import { Badge } from '../../shared/ui/badge.tsx';
import { Facts, Mono, Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { ConfiguredContainer, GroupResource, Volume } from './api.ts';

/** How the containers are configured. Secure values are never shown, because the API has none to show. */
export function Configuration({ resource: { properties } }: { readonly resource: GroupResource }) {
  const { containers, initContainers = [], volumes = [], ipAddress } = properties;
  return (
    <Stack>
      {[...initContainers, ...containers].map((container) => (
        <ContainerSection key={container.name} container={container} isInit={initContainers.includes(container)} />
      ))}
      <Section title="Volumes">
        <Table
          label="Volumes"
          items={volumes}
          keyOf={({ name }) => name}
          empty="The group has no volumes."
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Kind', cell: (volume) => kindOf(volume) },
            { title: 'Details', cell: (volume) => <Mono>{detailsOf(volume)}</Mono> },
          ]}
        />
      </Section>
      {ipAddress && (
        <Section title="Address">
          <Facts
            facts={[
              { label: 'Type', value: ipAddress.type },
              { label: 'Address', value: ipAddress.ip },
              { label: 'Name', value: ipAddress.fqdn },
              { label: 'Ports', value: portsOf(ipAddress) },
            ]}
          />
        </Section>
      )}
    </Stack>
  );
}

interface ContainerProps {
  readonly container: ConfiguredContainer;
  readonly isInit: boolean;
}

function ContainerSection({ container: { name, properties }, isInit }: ContainerProps) {
  const { image, command = [], environmentVariables = [], volumeMounts = [], resources } = properties;
  return (
    <Section title={isInit ? `${name} (init)` : name}>
      <Facts
        facts={[
          { label: 'Image', value: <Mono>{image}</Mono> },
          { label: 'Command', value: command.length > 0 && <Mono>{command.map(quoted).join(' ')}</Mono> },
          { label: 'Ports', value: portsOf(properties) },
          { label: 'Requests', value: amounts(resources?.requests) },
          { label: 'Limits', value: amounts(resources?.limits) },
        ].filter(({ value }) => Boolean(value))}
      />
      {environmentVariables.length > 0 && (
        <Table
          label={`Environment of ${name}`}
          items={environmentVariables}
          keyOf={(variable) => variable.name}
          columns={[
            { title: 'Variable', cell: (variable) => <Mono>{variable.name}</Mono> },
            {
              title: 'Value',
              cell: ({ value }) => (value === undefined ? <Badge>secure, not shown</Badge> : <Mono>{value}</Mono>),
            },
          ]}
        />
      )}
      {volumeMounts.length > 0 && (
        <Table
          label={`Mounts of ${name}`}
          items={volumeMounts}
          keyOf={(mount) => mount.mountPath}
          columns={[
            { title: 'Mounted at', cell: ({ mountPath }) => <Mono>{mountPath}</Mono> },
            { title: 'Volume', cell: (mount) => mount.name },
            { title: 'Access', cell: ({ readOnly }) => (readOnly ? 'read' : 'read and write') },
          ]}
        />
      )}
      {environmentVariables.length === 0 && <Soft>No environment variables of its own.</Soft>}
    </Section>
  );
}

/** As in a shell, so that the parts of a command can be told apart. */
const quoted = (part: string): string => (/^[\w./:=@%+,-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`);

const portsOf = ({ ports = [] }: Pick<ConfiguredContainer['properties'], 'ports'>): string =>
  ports.map(({ port, protocol = 'TCP' }) => `${port}/${protocol.toLowerCase()}`).join(', ');

type Amounts = NonNullable<ConfiguredContainer['properties']['resources']>['requests'];

const amounts = (given: Amounts): string | undefined =>
  given && `${given.cpu ?? '—'} CPU, ${given.memoryInGB ?? '—'} GB`;

const kindOf = (volume: Volume): string =>
  Object.keys(volume).find((member) => member !== 'name' && volume[member] !== null) ?? '';

function detailsOf(volume: Volume): string {
  const details = volume[kindOf(volume)];
  if (typeof details !== 'object' || details === null) return '';
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}
