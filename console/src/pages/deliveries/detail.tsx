import { RotateCcw } from 'lucide-react';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf, type operations } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { bytes } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { useKeys } from '../../shared/keys.tsx';
import { useMayChange } from '../../shared/session.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { Attempts } from './attempts.tsx';
import { Verdict } from './verdict.tsx';

export type DeliveryDocument = operations['Jar_GetDelivery']['responses'][200]['content']['application/json'];

/** One delivery: whether it arrived, every attempt, and the message. */
export function DeliveryDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const delivery = useData(
    ['delivery', id],
    (signal) => dataOf(control.GET('/_jar/deliveries/{id}', { params: { path: { id } }, signal })),
    { on: ['deliveries', 'work'] },
  );
  const replay = useAction(() => dataOf(control.POST('/_jar/deliveries/{id}/replay', { params: { path: { id } } })), {
    done: 'The delivery is sent again.',
    after: delivery.readAgain,
  });
  const remove = useRemoval(() => control.DELETE('/_jar/deliveries/{id}', { params: { path: { id } } }), {
    done: 'The delivery was removed.',
    after: () => go(addressOf('deliveries'), { keep: true }),
  });
  useKeys(mayChange ? [{ key: 'r', does: 'Send again', run: () => void replay.run() }] : []);
  const { data } = delivery;
  if (!data)
    return (
      <Detail kind="Delivery" title={id} failure={delivery.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Delivery"
      title={data.subject ?? data.id}
      failure={delivery.failure}
      badges={
        <>
          <StateBadge state={data.state} />
          <CopyId id={data.id} />
        </>
      }
      actions={
        mayChange && (
          <>
            <Button onPress={() => void replay.run()} isDisabled={replay.isRunning}>
              <RotateCcw size={14} aria-hidden /> Send again
            </Button>
            <Confirm
              label="Remove"
              question="Remove this delivery and its attempts?"
              onConfirm={() => void remove.run()}
            />
          </>
        )
      }
    >
      <Tabs
        label="Delivery"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary delivery={data} /> },
          {
            id: 'attempts',
            title: `Attempts (${data.attempts})`,
            content: () => <Attempts history={data.history} total={data.attempts} />,
          },
          { id: 'message', title: 'Message', content: () => <Message delivery={data} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ delivery }: { readonly delivery: DeliveryDocument }) {
  const { owner, policy, rule, cause, createdAt, nextAttemptAt, expiresAt, endedAt, replays } = delivery;
  return (
    <Stack>
      <Verdict delivery={delivery} />
      <Facts
        facts={[
          { label: 'To', value: delivery.address },
          { label: 'For', value: owner && <CopyId id={owner} length={48} /> },
          { label: 'Policy', value: policy },
          { label: 'Rule that decided', value: rule },
          { label: 'Cause', value: cause },
          { label: 'Created', value: <Time at={createdAt} /> },
          nextAttemptAt !== undefined && { label: 'Next attempt', value: <Time at={nextAttemptAt} /> },
          expiresAt !== undefined && endedAt === undefined && { label: 'Given up', value: <Time at={expiresAt} /> },
          endedAt !== undefined && { label: 'Ended', value: <Time at={endedAt} /> },
          replays > 0 && { label: 'Sent again', value: `${replays} times` },
        ]}
      />
    </Stack>
  );
}

function Message({ delivery: { headers, body, bodyBytes } }: { readonly delivery: DeliveryDocument }) {
  return (
    <Stack>
      <Table
        label="Headers"
        items={Object.entries(headers)}
        keyOf={([name]) => name}
        columns={[
          { title: 'Header', cell: ([name]) => name },
          { title: 'Value', cell: ([, value]) => value },
        ]}
        empty="No headers of its own."
      />
      <h3>Body, {bytes(bodyBytes)}</h3>
      <JsonView value={body} label="Copy the body" />
    </Stack>
  );
}
