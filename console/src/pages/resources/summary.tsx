import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Facts, Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type ArmDocument, type ArmType, CHANGED, partsOf } from './api.ts';
import { Locks } from './locks.tsx';
import styles from './resources.module.css';
import { namesOf, useScopes } from './use-scopes.ts';

const MOST_BELOW = 50;

interface Props {
  readonly id: string;
  readonly document: ArmDocument;
  readonly type: ArmType;
}

/** What it is, whether it works, where it is, and what protects it. */
export function Summary({ id, document, type }: Props) {
  const { subscription, group, type: named } = partsOf(id);
  const isGroup = group?.toLowerCase() === id.toLowerCase();
  const below = useData(
    ['arm-rows', id.toLowerCase()],
    async (signal) => {
      const query = {
        $filter: `id eq ${literal(id.toLowerCase())} or startswith(id,${literal(`${id.toLowerCase()}/`)})`,
        $top: MOST_BELOW,
      };
      return (await dataOf(control.GET('/_jar/resources', { params: { query }, signal }))).value;
    },
    { on: CHANGED, enabled: group !== undefined },
  );
  const scopes = useScopes();
  const own = below.data?.find((row) => row.id.toLowerCase() === id.toLowerCase());
  const others = below.data?.filter((row) => row !== own) ?? [];
  const tags = Object.entries(document.tags ?? {});
  return (
    <Stack>
      <Verdict document={document} />
      <Facts
        facts={[
          { label: 'Type', value: document.type ?? named },
          { label: 'Location', value: document.location },
          group !== undefined && !isGroup && { label: 'Resource group', value: <ScopeLink id={group} /> },
          subscription !== undefined &&
            subscription !== id && {
              label: 'Subscription',
              value: <ScopeLink id={subscription} name={namesOf(subscription, scopes.data).at(-1)} />,
            },
          typeof document.kind === 'string' && { label: 'Kind', value: document.kind },
          own && { label: 'Created', value: <Time at={own.createdAt} /> },
          own && { label: 'Changed', value: <Time at={own.changedAt} /> },
          { label: 'API version', value: type.apiVersion },
          { label: 'Tags', value: tags.length === 0 ? 'none' : <Tags tags={tags} /> },
        ]}
      />
      {others.length > 0 && (
        <Section title={isGroup ? 'Resources' : 'Below it'}>
          <Table
            label={isGroup ? 'Resources in the group' : 'Resources below it'}
            items={others}
            keyOf={(row) => row.id}
            columns={[
              { title: 'Name', cell: (row) => <ScopeLink id={row.id} /> },
              { title: 'Type', cell: (row) => row.type },
              { title: 'State', cell: (row) => <StateBadge state={row.provisioningState} /> },
            ]}
          />
        </Section>
      )}
      {subscription !== undefined && <Locks id={id} />}
    </Stack>
  );
}

function ScopeLink({ id, name }: { readonly id: string; readonly name?: string | undefined }) {
  const parts = partsOf(id);
  return <Link href={addressOf('resources', ...parts.segments) + scopeSearch()}>{name ?? parts.name}</Link>;
}

/** The tree and the list stay as they are. */
function scopeSearch(): string {
  const params = new URLSearchParams(location.search);
  params.delete('tab');
  return params.size === 0 ? '' : `?${params}`;
}

/** Whether it works, and if not, why not. */
function Verdict({ document: { properties } }: { readonly document: ArmDocument }) {
  const state = properties?.provisioningState;
  if (typeof state !== 'string' || /^(succeeded|active|registered)$/i.test(state)) return null;
  if (/^(failed|canceled)$/i.test(state))
    return (
      <Notice tone="failure" title={`Its last change ${state === 'Failed' ? 'failed' : 'was canceled'}.`}>
        The activity names the request and the error.
      </Notice>
    );
  return (
    <Notice title={`It is being changed: ${state}.`}>
      With a virtual clock, advancing the clock lets the operation go on.
    </Notice>
  );
}

function Tags({ tags }: { readonly tags: readonly (readonly [string, string])[] }) {
  return (
    <ul className={styles.tags}>
      {tags.map(([name, value]) => (
        <li key={name} className={styles.tag}>
          {name}: {value}
        </li>
      ))}
    </ul>
  );
}
