import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Mono, Section, Soft } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { ContainerStates, FullGroup, GroupResource, ProbeDefinition } from './api.ts';

interface Props {
  readonly group: FullGroup;
  readonly resource: GroupResource | undefined;
}

interface Probe {
  readonly container: string;
  readonly kind: 'liveness' | 'readiness';
  readonly result: NonNullable<ContainerStates['liveness']>;
  readonly definition: ProbeDefinition | undefined;
}

/** What is asked, how often, and with what result. */
export function Probes({ group, resource }: Props) {
  const probes = probesOf(group, resource);
  if (probes.length === 0) return null;
  return (
    <Section title="Probes">
      <Table
        label="Probes"
        items={probes}
        keyOf={({ container, kind }) => `${container} ${kind}`}
        columns={[
          { title: 'Probe', cell: (probe) => <Check probe={probe} /> },
          { title: 'Result', cell: ({ result }) => <Result result={result} /> },
          { title: 'In a row', cell: ({ result }) => inARow(result) },
          { title: 'Next', cell: ({ result }) => <Time at={result.dueAt} /> },
        ]}
      />
      <Soft>
        A container that fails its liveness probe is restarted; one that fails its readiness probe makes the group
        unhealthy.
      </Soft>
    </Section>
  );
}

function Check({ probe: { container, kind, definition } }: { readonly probe: Probe }) {
  return (
    <>
      {container}, {kind}
      {definition && (
        <div>
          <Mono>{checkOf(definition)}</Mono> <Soft>{ruleOf(definition)}</Soft>
        </div>
      )}
    </>
  );
}

const inARow = ({ failures, successes }: Probe['result']): string =>
  failures > 0 ? counted(failures, 'failure') : counted(successes, 'success', 'successes');

function Result({ result: { passing, failures, successes } }: Pick<Probe, 'result'>) {
  if (passing) return <Badge tone="success">passing</Badge>;
  if (failures === 0 && successes === 0) return <Badge>not asked yet</Badge>;
  return <Badge tone="failure">failing</Badge>;
}

function probesOf({ containerStates }: FullGroup, resource: GroupResource | undefined): Probe[] {
  const containers = resource?.properties.containers ?? [];
  return containerStates.flatMap(({ name, liveness, readiness }) => {
    const configured = containers.find((each) => each.name === name)?.properties;
    return [
      ...(liveness
        ? [{ container: name, kind: 'liveness' as const, result: liveness, definition: configured?.livenessProbe }]
        : []),
      ...(readiness
        ? [{ container: name, kind: 'readiness' as const, result: readiness, definition: configured?.readinessProbe }]
        : []),
    ];
  });
}

function checkOf(definition: ProbeDefinition): string {
  if (definition.exec) return (definition.exec.command ?? []).join(' ');
  const { path = '/', port, scheme = 'http' } = definition.httpGet ?? {};
  return definition.httpGet ? `GET ${scheme.toLowerCase()}://…:${port}${path}` : '';
}

const ruleOf = ({ periodSeconds = 10, failureThreshold = 3 }: ProbeDefinition): string =>
  `every ${periodSeconds} s, fails after ${failureThreshold}`;
