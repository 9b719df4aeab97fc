import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Row, Section } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { askArm, CHANGED, partsOf } from './api.ts';

interface Lock {
  readonly id: string;
  readonly name: string;
  readonly properties: { readonly level: 'CanNotDelete' | 'ReadOnly'; readonly notes?: string };
}

const VERSION = '2020-05-01';
const BELOW = '/providers/Vendor.Authorization/locks';

const scopeOf = ({ id }: Lock): string => id.slice(0, id.toLowerCase().lastIndexOf('/providers/'));

/** What protects it from being deleted or changed, here and below. */
export function Locks({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const locks = useData(
    ['arm-locks', id.toLowerCase()],
    async (signal) =>
      (await askArm<{ readonly value: readonly Lock[] }>(`${id}${BELOW}`, VERSION, { signal })).body.value,
    { on: CHANGED },
  );
  const add = useAction(
    (level: Lock['properties']['level']) =>
      askArm(`${id}${BELOW}/${level === 'ReadOnly' ? 'read-only' : 'keep'}`, VERSION, {
        method: 'PUT',
        body: { properties: { level } },
      }),
    { done: 'The lock was added.', after: locks.readAgain },
  );
  const remove = useAction((lock: Lock) => askArm(lock.id, VERSION, { method: 'DELETE' }), {
    done: 'The lock was removed.',
    after: locks.readAgain,
  });
  return (
    <Section
      title="Locks"
      actions={
        mayChange && (
          <Row>
            <Button onPress={() => void add.run('CanNotDelete')}>Lock against deletion</Button>
            <Button onPress={() => void add.run('ReadOnly')}>Make read-only</Button>
          </Row>
        )
      }
    >
      <Table
        label="Locks"
        items={locks.data ?? []}
        keyOf={(lock) => lock.id}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Level', cell: ({ properties: { level } }) => <Badge tone="warning">{level}</Badge> },
          { title: 'At', cell: (lock) => partsOf(scopeOf(lock)).name },
          { title: 'Notes', cell: ({ properties: { notes } }) => notes ?? '' },
          {
            title: 'Actions',
            cell: (lock) => mayChange && <Button onPress={() => void remove.run(lock)}>Remove</Button>,
          },
        ]}
        empty={locks.data && 'No lock is here or below.'}
      />
    </Section>
  );
}
