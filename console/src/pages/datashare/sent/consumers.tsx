import { useAction } from '../../../shared/api/use-action.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { type Child, post, useChildren } from '../api.ts';
import { textOf } from '../places.ts';

/** Who has accepted the share, and whether they may copy. */
export function Consumers({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const consumers = useChildren(id, 'providerShareSubscriptions');
  const act = useAction(
    (name: string, action: 'revoke' | 'reinstate') => post(`${id}/providerShareSubscriptions/${name}`, action),
    {
      done: (_, __, action) => (action === 'revoke' ? 'The access was revoked.' : 'The access was reinstated.'),
      after: consumers.readAgain,
    },
  );
  return (
    <>
      <FailureNotice failure={consumers.failure} what="The consumers" />
      <Table
        label="Consumers"
        items={consumers.data ?? []}
        keyOf={({ name }) => name}
        empty="Nobody has accepted the share yet."
        columns={[
          { title: 'Consumer', cell: (it) => consumerOf(it) },
          { title: 'Access', cell: (it) => <StateBadge state={textOf(it, 'shareSubscriptionStatus')} /> },
          { title: 'Since', cell: (it) => <Time at={textOf(it, 'sharedAt')} /> },
          {
            title: 'Change',
            cell: (it) =>
              mayChange &&
              (textOf(it, 'shareSubscriptionStatus') === 'Active' ? (
                <Confirm
                  label="Revoke"
                  question="Revoke the access? A running synchronization stops."
                  isDisabled={act.isRunning}
                  onConfirm={() => void act.run(it.name, 'revoke')}
                />
              ) : (
                <Button isDisabled={act.isRunning} onPress={() => void act.run(it.name, 'reinstate')}>
                  Reinstate
                </Button>
              )),
          },
        ]}
      />
    </>
  );
}

const consumerOf = (it: Child): string =>
  [textOf(it, 'consumerName'), textOf(it, 'consumerTenantName')].filter(Boolean).join(', ');
