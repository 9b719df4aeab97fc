import { Link } from 'wouter';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { useNow } from '../../shared/format/now.tsx';
import { Time } from '../../shared/format/time.tsx';
import { longSpan } from '../../shared/format/times.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Switch } from '../../shared/ui/field.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { apiPath, type LiveSubscription, NOTIFIED, plainMessage, type RemovedSubscription } from './api.ts';

type Subscription = LiveSubscription | RemovedSubscription;

const HOUR = 3_600_000;

/** One webhook subscription, live or removed: when it ends, or why it ended. */
export function SubscriptionDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const subscription = useData(
    ['business', 'subscription', id],
    (signal) => dataOf(control.GET('/_jar/business/subscriptions/{id}', { params: { path: { id } }, signal })),
    { on: NOTIFIED },
  );
  const { data } = subscription;
  const path = `${apiPath(data?.api ?? '')}/subscriptions('${id}')`;
  const renew = useAction(() => askService(path, { method: 'PATCH', body: {}, headers: { 'if-match': '*' } }), {
    done: 'The subscription was renewed.',
    inline: true,
    after: subscription.readAgain,
  });
  const remove = useRemoval(() => askService(path, { method: 'DELETE' }), {
    done: 'The subscription was deleted.',
    after: () => go(addressOf('business', 'subscriptions'), { keep: true }),
  });
  const mark = useAction(
    (flow: boolean) =>
      dataOf(control.PATCH('/_jar/business/subscriptions/{id}', { params: { path: { id } }, body: { flow } })),
    { after: subscription.readAgain },
  );
  if (!data)
    return (
      <Detail kind="Webhook subscription" title={id} failure={subscription.failure}>
        {null}
      </Detail>
    );
  const isLive = data.state === 'live';
  return (
    <Detail
      kind="Webhook subscription"
      title={`${data.set} of ${data.company.name}`}
      failure={subscription.failure}
      badges={
        <>
          <Badge tone={isLive ? 'success' : 'failure'}>{data.state}</Badge>
          {data.flow && <Badge tone="info">flow</Badge>}
          <CopyId id={id} length={36} />
        </>
      }
      actions={
        mayChange &&
        isLive && (
          <>
            <Button isDisabled={renew.isRunning} onPress={() => void renew.run()}>
              Renew
            </Button>
            <Confirm
              label="Delete"
              question="Delete the subscription? What is not sent yet is not sent any more."
              isDisabled={remove.isRunning}
              onConfirm={() => void remove.run()}
            />
          </>
        )
      }
    >
      {renew.failure && (
        <Notice tone="failure" title="It was not renewed.">
          {plainMessage(renew.failure.message)}
        </Notice>
      )}
      <Tabs
        label="Webhook subscription"
        tabs={[
          {
            id: 'summary',
            title: 'Summary',
            content: () => (
              <Stack>
                <Summary of={data} />
                {mayChange && isLive && (
                  <Switch
                    label="A flow of the automation connector, which gets no collection entries"
                    isSelected={data.flow}
                    onChange={(flow) => void mark.run(flow)}
                  />
                )}
              </Stack>
            ),
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ of }: { readonly of: Subscription }) {
  const sent = `${addressOf('deliveries')}?filter=${encodeURIComponent(`service eq 'business'`)}`;
  return (
    <>
      <Verdict of={of} />
      <Facts
        facts={[
          { label: 'Resource', value: of.resource },
          { label: 'To', value: of.notificationUrl },
          { label: 'Company', value: of.company.name },
          { label: 'Subscribed by', value: <CopyId id={of.userId} length={40} /> },
          { label: 'Created', value: <Time at={of.createdAt} /> },
          { label: 'Renewed', value: of.modifiedAt !== of.createdAt && <Time at={of.modifiedAt} /> },
          { label: 'Expires', value: <Time at={of.expirationDateTime} /> },
          { label: 'Notifications', value: <Link href={sent}>Deliveries of the business application</Link> },
        ].map(({ label, value }) => ({ label, value: value === false ? undefined : value }))}
      />
    </>
  );
}

/** How long it lives, or why it does not any more. */
function Verdict({ of }: { readonly of: Subscription }) {
  const { now } = useNow();
  if (of.state === 'removed')
    return (
      <Notice tone="failure" title={`It was removed: ${of.reason}.`}>
        {of.detail} <Time at={of.removedAt} />
        {of.removedBy !== undefined && ` by ${of.removedBy}`}
      </Notice>
    );
  const left = Date.parse(of.expirationDateTime) - now;
  if (left < HOUR)
    return (
      <Notice tone="warning" title={`It ends in ${longSpan(Math.max(0, left))} unless it is renewed.`}>
        Renewing repeats the handshake with the receiver.
      </Notice>
    );
  return <Notice tone="success" title={`It is live, for ${longSpan(left)} more unless it is renewed.`} />;
}
